// The engine's iterations on simulated time: how many, when, of what size, to whom.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/results/traffic_counts.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"
#include "protos/progress.pb.h"

namespace distbench {
namespace {

TEST(EngineIterationsTest, AnActionWithoutIterationsRunsOnce) {
  EngineCluster cluster(ClientServer(""));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(cluster.outcome("client/0")->ok());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
}

TEST(EngineIterationsTest, AnInstanceWithoutMainListEndsAtOnceAndGoesOnServing) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 5 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  EXPECT_TRUE(cluster.outcome("server/0").has_value());
  EXPECT_FALSE(cluster.outcome("client/0").has_value());
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 5);
}

TEST(EngineIterationsTest, AClosedLoopRunsItsCountOneAfterTheOther) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 4 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(StartsSince(counts.samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs, 3 * kMs}));
  for (const RpcSample& sample : counts.samples) EXPECT_EQ(sample.latency_ns(), kMs);
}

TEST(EngineIterationsTest, AClosedLoopKeepsAsManyInFlightAsItMay) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 10 max_parallel_iterations: 4 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, 0, 0, 0, kMs, kMs, kMs, kMs, 2 * kMs, 2 * kMs}));
}

TEST(EngineIterationsTest, TrafficIsCountedWhileItRuns) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 10 max_parallel_iterations: 4 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  const auto count = [&] {
    const auto counts = std::make_shared<TrafficCounts>();
    cluster.engine("client/0").CountTraffic(counts);
    EXPECT_EQ(counts.use_count(), 1) << "an engine that is idle has told when it returns";
    return counts->ToProgress();
  };
  cluster.time().AdvanceTo(cluster.start_ns());
  EXPECT_EQ(count().rpcs_size(), 0);
  EXPECT_EQ(count().outstanding_rpcs(), 4);
  cluster.time().AdvanceTo(cluster.start_ns() + kMs + kMs / 2);
  ASSERT_EQ(count().rpcs_size(), 1);
  EXPECT_EQ(count().rpcs(0).measured_successes(), 4);
  EXPECT_EQ(count().rpcs(0).service_time_ns().min(), kMs);
  EXPECT_EQ(count().outstanding_rpcs(), 4);
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(count().rpcs(0).measured_successes(), 10);
  EXPECT_EQ(count().outstanding_rpcs(), 0);
}

TEST(EngineIterationsTest, LatencyWeightIsTheTimeSinceTheSlotsPreviousStart) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 4 max_parallel_iterations: 2 }"));
  cluster.network().SetTransit(Delayed(3 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  ASSERT_EQ(counts.samples.size(), 4u);
  EXPECT_FALSE(counts.samples[0].has_latency_weight());
  EXPECT_FALSE(counts.samples[1].has_latency_weight());
  EXPECT_EQ(counts.samples[2].latency_weight(), 3 * kMs);
  EXPECT_EQ(counts.samples[3].latency_weight(), 3 * kMs);
}

TEST(EngineIterationsTest, NoIterationOfAClosedLoopStartsAfterItsDurationAndThoseInFlightCount) {
  EngineCluster cluster(ClientServer("iterations { max_duration_us: 2500 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs}));
}

TEST(EngineIterationsTest, TheWiderLimitsWinOverTheNarrowOnes) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 3 max_iteration_count_64: 7 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 7);
}

TEST(EngineIterationsTest, AnOpenLoopStartsOnScheduleWhateverIsOutstanding) {
  EngineCluster cluster(
      ClientServer("iterations { open_loop_interval_ns: 1000000 max_duration_us: 5000 }"));
  cluster.network().SetTransit(Delayed(100 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  // floor(5 ms / 1 ms) + 1: both ends count.
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs, 3 * kMs, 4 * kMs, 5 * kMs}));
}

TEST(EngineIterationsTest, AnOpenLoopThatWokeUpLateCatchesUpAndRecordsHowLateItWas) {
  EngineCluster cluster(
      ClientServer("iterations { open_loop_interval_ns: 1000000 max_iteration_count: 5 }"));
  cluster.Start();
  // The generator stands still for 3.5 ms: arrivals 1, 2 and 3 start late, together.
  cluster.time().RunNextTimer();
  cluster.time().StallUntil(cluster.start_ns() + 3 * kMs + kMs / 2);
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(
      StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
      (std::vector<int64_t>{0, 3 * kMs + kMs / 2, 3 * kMs + kMs / 2, 3 * kMs + kMs / 2, 4 * kMs}));
  const ServicePerformanceLog log = cluster.Log("client/0");
  const OutcomeStatistics& figures = log.rpc_statistics().at(0).measured_success();
  EXPECT_EQ(figures.lateness_ns().max(), 2 * kMs + kMs / 2);
  EXPECT_EQ(figures.response_time_ns().max(), 2 * kMs + kMs / 2);
  EXPECT_EQ(figures.service_time_ns().max(), 0);
}

TEST(EngineIterationsTest, SyncBurstsOfAllInstancesFallOnTheSameWallClockMultiples) {
  EngineCluster cluster(R"(
    name: "clique" default_protocol: "fake"
    services { name: "clique" count: 3 }
    rpc_descriptions { name: "ping" client: "clique" server: "clique" }
    action_lists { name: "clique" action_names: "burst" }
    action_lists { name: "ping" }
    actions { name: "burst" rpc_name: "ping" iterations {
      open_loop_interval_ns: 16000000 open_loop_interval_distribution: "sync_burst"
      max_iteration_count: 4 } })");
  cluster.time().AdvanceBy(1'234'567);
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  for (const char* instance : {"clique/0", "clique/1", "clique/2"}) {
    const auto counts = cluster.Counts(instance, "ping");
    EXPECT_EQ(counts.successes, 4 * 2);  // cycles x (n - 1)
    for (const RpcSample& sample : counts.samples) {
      EXPECT_EQ(sample.start_timestamp_ns() % (16 * kMs), 0);
    }
  }
}

TEST(EngineIterationsTest, AnOpenLoopsRateMayChangeWithTime) {
  EngineCluster cluster(ClientServer(
      "iterations { open_loop_interval_ns: 1000000 max_duration_us: 8000 "
      "  rate_steps { duration_us: 2000 } rate_steps { duration_us: 1000 rate_factor: 4 } "
      "  rate_steps { duration_us: 2000 rate_factor: 0 } "
      "  rate_steps { duration_us: 1000 rate_factor: 0.5 } }"));
  cluster.network().SetTransit(Delayed(100 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs, 2 * kMs + kMs / 4, 2 * kMs + kMs / 2,
                                  2 * kMs + 3 * kMs / 4, 5 * kMs, 7 * kMs}));
}

// Two clients that each do the same action.
std::vector<std::vector<int64_t>> ExponentialStarts(const std::string& seed) {
  EngineCluster cluster(absl::StrCat(R"(
    name: "arrivals" default_protocol: "fake"
    services { name: "client" count: 2 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" iterations {
      open_loop_interval_ns: 1000000 open_loop_interval_distribution: "exponential"
      max_duration_us: 1000000 } } )",
                                     seed));
  cluster.Start();
  EXPECT_TRUE(cluster.RunUntilDone());
  std::vector<std::vector<int64_t>> starts;
  for (const char* client : {"client/0", "client/1"}) {
    starts.push_back(StartsSince(cluster.Counts(client, "query").samples, cluster.start_ns()));
  }
  return starts;
}

TEST(EngineIterationsTest, ExponentialArrivalsAreDrawnForEachInstanceFromTheSeed) {
  const auto starts = ExponentialStarts("seed: 5");
  EXPECT_EQ(ExponentialStarts("seed: 5"), starts);
  EXPECT_NE(ExponentialStarts("seed: 6"), starts);
  EXPECT_NE(starts[0], starts[1]);
  for (const std::vector<int64_t>& of_client : starts) {
    EXPECT_NEAR(static_cast<double>(of_client.size()), 1000, 5 * 32);
    EXPECT_GT(of_client.front(), 0);
    EXPECT_LE(of_client.back(), 1000 * kMs);
  }
}

TEST(EngineIterationsTest, WarmupIterationsAreMarkedAndCountedApart) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 10 warmup_iterations: 3 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.warmups, 3);
  EXPECT_EQ(counts.successes, 7);
}

TEST(EngineIterationsTest, WarmupTimeEndsWithTheIterationsBegunBefore) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 10 warmup_ns: 2500000 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").warmups, 3);  // begun at 0, 1 and 2 ms
}

TEST(EngineIterationsTest, MessagesHaveExactlyTheSizesAskedFor) {
  EngineCluster cluster(absl::StrCat(
      ClientServer("", 1, R"(request_payload_name: "out" response_payload_name: "back")"),
      R"(payload_descriptions { name: "out" size: 196 }
         payload_descriptions { name: "back" size: 262144 })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  ASSERT_EQ(counts.samples.size(), 1u);
  EXPECT_EQ(counts.samples[0].request_size(), 196);
  EXPECT_EQ(counts.samples[0].response_size(), 262144);
}

TEST(EngineIterationsTest, RoundRobinBalancesExactly) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 32 max_parallel_iterations: 5 }", 5,
                   R"(fanout_filter: "round_robin")"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(
      counts.per_server,
      (std::map<std::string, int64_t>{
          {"server/0", 7}, {"server/1", 7}, {"server/2", 6}, {"server/3", 6}, {"server/4", 6}}));
}

TEST(EngineIterationsTest, AnIterationEndsWhenAllItsTargetsHaveAnswered) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }", 4));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.successes, 12);
  const std::vector<int64_t> starts = StartsSince(counts.samples, cluster.start_ns());
  for (size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(starts[i], static_cast<int64_t>(i / 4) * kMs);
  }
}

TEST(EngineIterationsTest, TheSameSeedDrawsTheSameTargets) {
  const std::string config =
      ClientServer("iterations { max_iteration_count: 50 }", 7, R"(fanout_filter: "random")");
  std::map<std::string, int64_t> per_server[3];
  const char* seeds[3] = {"seed: 5", "seed: 5", "seed: 6"};
  for (int i = 0; i < 3; ++i) {
    EngineCluster cluster(config + seeds[i]);
    cluster.Start();
    ASSERT_TRUE(cluster.RunUntilDone());
    per_server[i] = cluster.Counts("client/0", "query").per_server;
  }
  EXPECT_EQ(per_server[0], per_server[1]);
  EXPECT_NE(per_server[0], per_server[2]);
}

}  // namespace
}  // namespace distbench
