// What the engine records besides the RPCs that it sends: the times of its answers and of its
// iterations; and of which RPCs it keeps the samples. On simulated time.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

void ExpectAll(const Histogram& times, int64_t count, int64_t value_ns) {
  EXPECT_EQ(times.count(), count);
  EXPECT_EQ(times.min(), value_ns);
  EXPECT_EQ(times.max(), value_ns);
}

// --- Answers

// client -> root -> leaf, which answers at once.
constexpr char kThreeTiers[] = R"(
  name: "tiers" default_protocol: "fake"
  services { name: "client" count: 1 }
  services { name: "root" count: 1 }
  services { name: "leaf" count: 1 }
  rpc_descriptions { name: "root_query" client: "client" server: "root" }
  rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
  action_lists { name: "client" action_names: "ask_root" }
  action_lists { name: "root_query" action_names: "ask_leaf" }
  action_lists { name: "leaf_query" }
  actions { name: "ask_root" rpc_name: "root_query"
            iterations { max_iteration_count: 10 warmup_iterations: 4 } }
  actions { name: "ask_leaf" rpc_name: "leaf_query" })";

TEST(EngineServedTest, HandlerTimeIsTheTimeOfTheListAndWarmupDoesNotCount) {
  EngineCluster cluster(kThreeTiers);
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog root = cluster.Log("root/0");
  ASSERT_EQ(root.served_rpcs_size(), 1);
  ExpectAll(root.served_rpcs().at(0).queue_time_ns(), 6, 0);
  ExpectAll(root.served_rpcs().at(0).handler_time_ns(), 6, kMs);
  const ServicePerformanceLog leaf = cluster.Log("leaf/0");
  ASSERT_EQ(leaf.served_rpcs_size(), 1);
  ExpectAll(leaf.served_rpcs().at(1).queue_time_ns(), 6, 0);
  ExpectAll(leaf.served_rpcs().at(1).handler_time_ns(), 6, 0);
  EXPECT_EQ(cluster.Log("client/0").served_rpcs_size(), 0);
}

TEST(EngineServedTest, WaitingForTheIntroductionOfPeersIsQueueTime) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect(/*serve=*/false);
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  cluster.time().AdvanceBy(5 * kMs);
  cluster.BeginServing();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("server/0");
  ExpectAll(log.served_rpcs().at(0).queue_time_ns(), 1, 5 * kMs);
  ExpectAll(log.served_rpcs().at(0).handler_time_ns(), 1, 0);
}

TEST(EngineServedTest, WaitingForTheIntroductionOfPeersIsQueueTimeOfAListToo) {
  EngineCluster cluster(absl::StrReplaceAll(kThreeTiers, {{"warmup_iterations: 4", ""}}));
  cluster.Connect(/*serve=*/false);
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  cluster.time().AdvanceBy(5 * kMs);
  cluster.BeginServing();
  ASSERT_TRUE(cluster.RunUntilDone());
  const Histogram queue_time = cluster.Log("root/0").served_rpcs().at(0).queue_time_ns();
  EXPECT_EQ(queue_time.count(), 10);
  EXPECT_EQ(queue_time.min(), 0);
  EXPECT_EQ(queue_time.max(), 5 * kMs);
}

TEST(EngineServedTest, RequestsThatAreRefusedWereNotServed) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.Connect();
  cluster.engine("server/0").CancelTraffic(absl::CancelledError("enough"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").failures, 3);
  EXPECT_TRUE(cluster.Log("server/0").served_rpcs().empty());
}

TEST(EngineServedTest, WhatIsServedAfterTheLogWasBuiltDoesNotChangeIt) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.Connect();
  EXPECT_EQ(cluster.Log("server/0").ByteSizeLong(), 0u);
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Log("server/0").ByteSizeLong(), 0u);
}

// --- Iterations

// A client with this action, and a list "pair" of two RPCs, one after the other.
std::string Client(const std::string& action, const std::string& rpc = "") {
  return absl::StrCat(ClientServer(action, /*servers=*/3, rpc), R"(
    action_lists { name: "pair" action_names: "first" action_names: "second" }
    actions { name: "first" rpc_name: "single" }
    actions { name: "second" rpc_name: "single" dependencies: "first" }
    services { name: "other" count: 1 }
    rpc_descriptions { name: "single" client: "client" server: "other" }
    action_lists { name: "single" })");
}

std::string NestedPair(const std::string& iterations) {
  return absl::StrReplaceAll(Client(iterations),
                             {{R"(rpc_name: "query")", R"(action_list_name: "pair")"}});
}

TEST(EngineIterationTimesTest, AFanoutTakesFromItsFirstStartToItsLastEnd) {
  EngineCluster cluster(Client("iterations { max_iteration_count: 5 warmup_iterations: 2 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.iterations_size(), 1);
  EXPECT_EQ(log.iterations(0).action_list(), "client");
  EXPECT_EQ(log.iterations(0).action(), "ask");
  ExpectAll(log.iterations(0).service_time_ns(), 3, kMs);
  EXPECT_FALSE(log.iterations(0).has_response_time_ns());
}

TEST(EngineIterationTimesTest, ANestedListTakesAsLongAsItsActions) {
  EngineCluster cluster(NestedPair("iterations { max_iteration_count: 5 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.iterations_size(), 1) << "first and second are single RPCs";
  ExpectAll(log.iterations(0).service_time_ns(), 5, 2 * kMs);
}

TEST(EngineIterationTimesTest, AnOpenLoopCountsFromTheIntendedStartToo) {
  EngineCluster cluster(
      Client("iterations { open_loop_interval_ns: 1000000 max_iteration_count: 3 }"));
  cluster.Start();
  // The generator stands still for 2.5 ms after the first start: the others start late, together.
  cluster.time().RunNextTimer();
  cluster.time().StallUntil(cluster.start_ns() + 2 * kMs + kMs / 2);
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.iterations_size(), 1);
  ExpectAll(log.iterations(0).service_time_ns(), 3, 0);
  EXPECT_EQ(log.iterations(0).response_time_ns().count(), 3);
  EXPECT_EQ(log.iterations(0).response_time_ns().min(), 0);
  EXPECT_EQ(log.iterations(0).response_time_ns().max(), kMs + kMs / 2);
}

TEST(EngineIterationTimesTest, AnIterationThatIsOneRpcIsNotRecorded) {
  for (const char* filter : {"random", "round_robin", "stochastic{0.5:0,0.5:1}"}) {
    EngineCluster cluster(Client("iterations { max_iteration_count: 5 }",
                                 absl::StrCat("fanout_filter: '", filter, "'")));
    cluster.Start();
    ASSERT_TRUE(cluster.RunUntilDone());
    EXPECT_EQ(cluster.Log("client/0").iterations_size(), 0) << filter;
  }
}

TEST(EngineIterationTimesTest, AnIterationWithoutAnyTargetIsNotRecorded) {
  EngineCluster cluster(Client("iterations { max_iteration_count: 100 }",
                               "fanout_filter: 'stochastic{0.5:0,0.5:3}'"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const int64_t rpcs = cluster.Counts("client/0", "query").successes;
  EXPECT_GT(rpcs, 0);
  EXPECT_LT(rpcs, 3 * 100);
  EXPECT_EQ(cluster.Log("client/0").iterations(0).service_time_ns().count(), rpcs / 3);
}

TEST(EngineIterationTimesTest, FailedRpcsBelongToTheirIteration) {
  EngineCluster cluster(Client("iterations { max_iteration_count: 5 }"));
  cluster.network().FailCalls(absl::UnavailableError("gone"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Log("client/0").iterations(0).service_time_ns().count(), 5);
}

TEST(EngineIterationTimesTest, WhatCancellationCutsShortIsNotRecorded) {
  EngineCluster cluster(Client("iterations { max_parallel_iterations: 8 }"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  cluster.engine("client/0").CancelTraffic(absl::AbortedError("preempted"));
  ASSERT_TRUE(cluster.outcome("client/0").has_value());
  EXPECT_EQ(cluster.Log("client/0").iterations_size(), 0);
}

// --- Limited samples

std::string Limited(const std::string& config, const std::string& list, int64_t limit) {
  const std::string name = absl::StrCat("action_lists { name: \"", list, "\"");
  return absl::StrReplaceAll(config, {{name, absl::StrCat(name, " max_rpc_samples: ", limit)}});
}

// Whose samples say which they are: one start a microsecond.
constexpr char kMicrosecondLoop[] =
    "iterations { open_loop_interval_ns: 1000 max_iteration_count: 20000 warmup_iterations: 1000 }";

TEST(EngineSamplesTest, ALimitChangesNoFigure) {
  const std::string loop =
      "iterations { open_loop_interval_ns: 1000 max_iteration_count: 2000 warmup_iterations: 100 }";
  EngineCluster all(ClientServer(loop, /*servers=*/3));
  EngineCluster limited(Limited(ClientServer(loop, /*servers=*/3), "client", 100));
  for (EngineCluster* cluster : {&all, &limited}) {
    cluster->network().SetTransit(Delayed(kMs));
    cluster->Start();
    ASSERT_TRUE(cluster->RunUntilDone());
  }
  EXPECT_EQ(limited.Counts("client/0", "query").samples.size(), 100u);
  const ServicePerformanceLog exact = all.Log("client/0");
  const ServicePerformanceLog log = limited.Log("client/0");
  RpcStatistics statistics = log.rpc_statistics().at(0);
  EXPECT_EQ(statistics.samples_left_out(), 3 * 2000 - 100);
  statistics.clear_samples_left_out();
  EXPECT_EQ(statistics.DebugString(), exact.rpc_statistics().at(0).DebugString());
  for (const auto& [peer, peer_log] : log.peer_logs()) {
    const RpcPerformanceLog& rpc_log = peer_log.rpc_logs().at(0);
    EXPECT_EQ(rpc_log.statistics().samples_left_out(),
              2000 - rpc_log.successful_rpc_samples_size());
  }
}

TEST(EngineSamplesTest, EveryIterationIsAsLikelyToBeKept) {
  EngineCluster cluster(Limited(ClientServer(kMicrosecondLoop), "client", 2000));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  constexpr size_t kBins = 20;  // of 1000 iterations each
  std::vector<double> kept(kBins);
  const auto counts = cluster.Counts("client/0", "query");
  ASSERT_EQ(counts.samples.size(), 2000u);
  int64_t warmups = 0;
  for (const int64_t start_ns : StartsSince(counts.samples, cluster.start_ns())) {
    ++kept[static_cast<size_t>(start_ns / 1'000'000)];
  }
  for (const RpcSample& sample : counts.samples) warmups += sample.warmup();
  EXPECT_EQ(warmups, static_cast<int64_t>(kept[0])) << "warmup takes part like any other";
  // Chi-squared; drawing without replacement lessens the variance by a tenth. The bound is exceeded
  // once in a thousand times.
  double chi_squared = 0;
  for (const double count : kept) chi_squared += (count - 100) * (count - 100) / 100 / 0.9;
  EXPECT_LT(chi_squared, 43.8) << kBins - 1 << " degrees of freedom";
  EXPECT_GT(chi_squared, 5.4) << "too even to be chance";
}

TEST(EngineSamplesTest, FailuresTakePartAndFewerThanTheLimitAreAllKept) {
  EngineCluster cluster(
      Limited(ClientServer("iterations { max_iteration_count: 7 }"), "client", 10));
  cluster.network().FailCalls(absl::UnavailableError("gone"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const RpcPerformanceLog& query = log.peer_logs().at("server/0").rpc_logs().at(0);
  ASSERT_EQ(query.failed_rpc_samples_size(), 7);
  EXPECT_EQ(query.failed_rpc_samples(0).error_index(), 1);
  EXPECT_FALSE(query.statistics().has_samples_left_out());
}

TEST(EngineSamplesTest, TheListThatContainsTheActionIsWhatCounts) {
  const std::string config = NestedPair("iterations { max_iteration_count: 50 }");
  EngineCluster outer(Limited(config, "client", 9));
  EngineCluster inner(Limited(config, "pair", 9));
  for (EngineCluster* cluster : {&outer, &inner}) {
    cluster->Start();
    ASSERT_TRUE(cluster->RunUntilDone());
  }
  EXPECT_EQ(outer.Counts("client/0", "single").samples.size(), 100u);
  EXPECT_EQ(inner.Counts("client/0", "single").samples.size(), 9u);
}

}  // namespace
}  // namespace distbench
