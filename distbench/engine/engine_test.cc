// The engine as a whole, on simulated time and a fake network: what it does, in what order, and
// that it ends.
#include "distbench/engine/engine.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kMs = 1'000'000;

// One client, `servers` servers; the client's only action sends "query" as `action` says.
std::string ClientServer(const std::string& action, int servers = 1, const std::string& rpc = "") {
  return absl::StrCat(R"(
    name: "client_server"
    default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 1 }
    services { name: "server" count: )",
                      servers, R"( }
    rpc_descriptions { name: "query" client: "client" server: "server" )",
                      rpc, R"( }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" )",
                      action, " }");
}

FakeTransit Delayed(int64_t delay_ns) {
  return {.mode = FakeTransit::Mode::kDelayed, .delay_ns = delay_ns};
}

std::vector<int64_t> StartsSince(const std::vector<RpcSample>& samples, int64_t origin_ns) {
  std::vector<int64_t> starts;
  for (const RpcSample& sample : samples) {
    starts.push_back(sample.start_timestamp_ns() - origin_ns -
                     SimulatedTime::kWallMinusMonotonicNs);
  }
  return starts;
}

TEST(EngineTest, AnActionWithoutIterationsRunsOnce) {
  EngineCluster cluster(ClientServer(""));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(cluster.outcome("client/0")->ok());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
}

TEST(EngineTest, AnInstanceWithoutMainListEndsAtOnceAndGoesOnServing) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 5 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  EXPECT_TRUE(cluster.outcome("server/0").has_value());
  EXPECT_FALSE(cluster.outcome("client/0").has_value());
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 5);
}

TEST(EngineTest, AClosedLoopRunsItsCountOneAfterTheOther) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 4 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(StartsSince(counts.samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs, 3 * kMs}));
  for (const RpcSample& sample : counts.samples) EXPECT_EQ(sample.latency_ns(), kMs);
}

TEST(EngineTest, AClosedLoopKeepsAsManyInFlightAsItMay) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 10 max_parallel_iterations: 4 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, 0, 0, 0, kMs, kMs, kMs, kMs, 2 * kMs, 2 * kMs}));
}

TEST(EngineTest, LatencyWeightIsTheTimeSinceTheSlotsPreviousStart) {
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

TEST(EngineTest, NoIterationOfAClosedLoopStartsAfterItsDurationAndThoseInFlightCount) {
  EngineCluster cluster(ClientServer("iterations { max_duration_us: 2500 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs}));
}

TEST(EngineTest, TheWiderLimitsWinOverTheNarrowOnes) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 3 max_iteration_count_64: 7 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 7);
}

TEST(EngineTest, AnOpenLoopStartsOnScheduleWhateverIsOutstanding) {
  EngineCluster cluster(
      ClientServer("iterations { open_loop_interval_ns: 1000000 max_duration_us: 5000 }"));
  cluster.network().SetTransit(Delayed(100 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  // floor(5 ms / 1 ms) + 1: both ends count.
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, kMs, 2 * kMs, 3 * kMs, 4 * kMs, 5 * kMs}));
}

TEST(EngineTest, AnOpenLoopThatWokeUpLateCatchesUpAndRecordsHowLateItWas) {
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

TEST(EngineTest, SyncBurstsOfAllInstancesFallOnTheSameWallClockMultiples) {
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

TEST(EngineTest, WarmupIterationsAreMarkedAndCountedApart) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 10 warmup_iterations: 3 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.warmups, 3);
  EXPECT_EQ(counts.successes, 7);
}

TEST(EngineTest, WarmupTimeEndsWithTheIterationsBegunBefore) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 10 warmup_ns: 2500000 }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").warmups, 3);  // begun at 0, 1 and 2 ms
}

TEST(EngineTest, MessagesHaveExactlyTheSizesAskedFor) {
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

TEST(EngineTest, RoundRobinBalancesExactly) {
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

TEST(EngineTest, AnIterationEndsWhenAllItsTargetsHaveAnswered) {
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

TEST(EngineTest, TheSameSeedDrawsTheSameTargets) {
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

// --- Action lists

// A client whose list has the actions of `list`, each an RPC "query" to the only server.
std::string ClientWithActions(const std::string& actions, const std::string& names) {
  return absl::StrCat(R"(
    name: "actions" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    rpc_descriptions { name: "other" client: "client" server: "server" }
    action_lists { name: "client" )",
                      names, R"( }
    action_lists { name: "query" }
    action_lists { name: "other" } )",
                      actions);
}

TEST(EngineTest, AnActionStartsWhenAllItsDependenciesHaveFinished) {
  EngineCluster cluster(ClientWithActions(
      R"(actions { name: "a" rpc_name: "query" iterations { max_iteration_count: 2 } }
         actions { name: "b" rpc_name: "query" iterations { max_iteration_count: 3 } }
         actions { name: "c" rpc_name: "other" dependencies: "a" dependencies: "b" })",
      R"(action_names: "c" action_names: "a" action_names: "b")"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{0, 0, kMs, kMs, 2 * kMs}));
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "other").samples, cluster.start_ns()),
            (std::vector<int64_t>{3 * kMs}));
}

TEST(EngineTest, ALongChainOfEmptyActionsNestsNothingAndReachesItsEnd) {
  constexpr int kActions = 20'000;
  std::string actions;
  std::string names;
  for (int i = 0; i < kActions; ++i) {
    absl::StrAppend(&actions, "actions { name: \"a", i, "\"",
                    i > 0 ? absl::StrCat(" dependencies: \"a", i - 1, "\"") : "",
                    i + 1 == kActions ? " rpc_name: \"query\"" : "", " }\n");
    absl::StrAppend(&names, "action_names: \"a", i, "\" ");
  }
  EngineCluster cluster(ClientWithActions(actions, names));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
}

TEST(EngineTest, ANestedListRunsOnceAnIterationAndInheritsWarmup) {
  EngineCluster cluster(ClientWithActions(
      R"(actions { name: "loop" action_list_name: "pair"
                   iterations { max_iteration_count: 5 warmup_iterations: 2 } }
         action_lists { name: "pair" action_names: "first" action_names: "second" }
         actions { name: "first" rpc_name: "query" }
         actions { name: "second" rpc_name: "other" dependencies: "first" })",
      R"(action_names: "loop")"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto query = cluster.Counts("client/0", "query");
  const auto other = cluster.Counts("client/0", "other");
  EXPECT_EQ(StartsSince(query.samples, cluster.start_ns()),
            (std::vector<int64_t>{0, 2 * kMs, 4 * kMs, 6 * kMs, 8 * kMs}));
  EXPECT_EQ(StartsSince(other.samples, cluster.start_ns()),
            (std::vector<int64_t>{kMs, 3 * kMs, 5 * kMs, 7 * kMs, 9 * kMs}));
  EXPECT_EQ(query.warmups, 2);
  EXPECT_EQ(other.warmups, 2);
}

// client -> root -> 3 leaves.
constexpr char kTwoLevels[] = R"(
  name: "levels" default_protocol: "fake"
  attributes { key: "test_timeout" value: "100" }
  services { name: "client" count: 1 }
  services { name: "root" count: 2 }
  services { name: "leaf" count: 3 }
  rpc_descriptions { name: "root_query" client: "client" server: "root"
                     fanout_filter: "round_robin" }
  rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
  action_lists { name: "client" action_names: "ask_root" }
  action_lists { name: "root_query" action_names: "ask_leaves" }
  action_lists { name: "leaf_query" }
  actions { name: "ask_root" rpc_name: "root_query"
            iterations { max_iteration_count: 10 warmup_iterations: 4 } }
  actions { name: "ask_leaves" rpc_name: "leaf_query" })";

TEST(EngineTest, AServersListAnswersWhenItHasEndedAndWarmupGoesDownstream) {
  EngineCluster cluster(kTwoLevels);
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto asked = cluster.Counts("client/0", "root_query");
  EXPECT_EQ(asked.successes, 6);
  EXPECT_EQ(asked.warmups, 4);
  for (const RpcSample& sample : asked.samples) EXPECT_EQ(sample.latency_ns(), 2 * kMs);
  for (const char* root : {"root/0", "root/1"}) {
    const auto leaves = cluster.Counts(root, "leaf_query");
    EXPECT_EQ(leaves.successes, 3 * 3);
    EXPECT_EQ(leaves.warmups, 2 * 3);
  }
}

TEST(EngineTest, AnEarlyResponseGoesOutBeforeLaterActionsWhichStillRun) {
  EngineCluster cluster(R"(
    name: "early" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "root" count: 1 }
    services { name: "leaf" count: 1 }
    rpc_descriptions { name: "root_query" client: "client" server: "root" }
    rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
    action_lists { name: "client" action_names: "ask_root" }
    action_lists { name: "root_query" action_names: "answer" action_names: "more" }
    action_lists { name: "leaf_query" }
    actions { name: "ask_root" rpc_name: "root_query" }
    actions { name: "answer" rpc_name: "leaf_query" send_response_when_done: true }
    actions { name: "more" rpc_name: "leaf_query" dependencies: "answer"
              iterations { max_iteration_count: 5 } })");
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto asked = cluster.Counts("client/0", "root_query");
  ASSERT_EQ(asked.samples.size(), 1u);
  EXPECT_EQ(asked.samples[0].latency_ns(), 2 * kMs);
  while (cluster.time().RunNextTimer()) {
  }
  EXPECT_EQ(cluster.Counts("root/0", "leaf_query").successes, 6);
}

TEST(EngineTest, RequestsThatArriveBeforePeersAreIntroducedWait) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect(/*serve=*/false);
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  cluster.BeginServing();
  EXPECT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
}

TEST(EngineTest, ManySuspendedServerListsAllEnd) {
  constexpr int64_t kInFlight = 3'000;
  EngineCluster cluster(absl::StrCat(kTwoLevels, R"(
    services { name: "crowd" count: 1 }
    action_lists { name: "crowd" action_names: "ask_much" }
    rpc_descriptions { name: "crowd_query" client: "crowd" server: "root" }
    action_lists { name: "crowd_query" action_names: "ask_leaves" }
    actions { name: "ask_much" rpc_name: "crowd_query" iterations {
      max_iteration_count: )",
                                     kInFlight, " max_parallel_iterations: ", kInFlight, "} }"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("crowd/0", "crowd_query").successes, 2 * kInFlight);
}

// --- Failures and ends

TEST(EngineTest, AFailedRpcIsCountedApartWithItsTextAndTheLoopGoesOn) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.network().FailCalls(absl::UnavailableError("gone"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(cluster.outcome("client/0")->ok());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const RpcStatistics& statistics = log.rpc_statistics().at(0);
  EXPECT_EQ(statistics.measured_success().count(), 0);
  EXPECT_EQ(statistics.measured_failure().count(), 3);
  ASSERT_EQ(log.error_dictionary().error_message_size(), 2);
  EXPECT_EQ(log.error_dictionary().error_message(1), "UNAVAILABLE: gone");
}

TEST(EngineTest, ACallPastItsDeadlineFails) {
  EngineCluster cluster(ClientServer("", 1, "deadline_us: 2000"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").failures, 1);
  EXPECT_EQ(cluster.time().MonotonicNs(), cluster.start_ns() + 2 * kMs);
}

TEST(EngineTest, CancellationEndsCallsInFlightAndCountsThemApart) {
  EngineCluster cluster(ClientServer("iterations { max_parallel_iterations: 8 }"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.engine("client/0").pending_rpcs(), 8);
  cluster.engine("client/0").CancelTraffic(absl::AbortedError("preempted"));
  ASSERT_TRUE(cluster.outcome("client/0").has_value());
  EXPECT_EQ(*cluster.outcome("client/0"), absl::AbortedError("preempted"));
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.cancelled, 8);
  EXPECT_EQ(counts.failures, 0);
  EXPECT_EQ(counts.successes, 0);
}

TEST(EngineTest, CancellationEndsAnOpenLoopThatWaitsForItsNextArrival) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 60000000000 }"));
  cluster.Start();
  cluster.time().RunNextTimer();
  EXPECT_FALSE(cluster.outcome("client/0").has_value());
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  EXPECT_TRUE(cluster.outcome("client/0").has_value());
}

TEST(EngineTest, CancellationBeforeTheStartEndsTheTrafficWithoutAnyRpc) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.Connect();
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("too early"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(*cluster.outcome("client/0"), absl::CancelledError("too early"));
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 0);
}

TEST(EngineTest, ACancelledServerTellsItsCallersWhy) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect();
  cluster.engine("server/0").CancelTraffic(absl::AbortedError("preempted"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  EXPECT_EQ(log.rpc_statistics().at(0).measured_failure().count(), 1);
  EXPECT_EQ(log.error_dictionary().error_message(1), "Traffic cancelled: ABORTED: preempted");
}

TEST(EngineTest, AnOverloadedServerEndsTheTrafficOfItsCallersToo) {
  EngineCluster cluster(ClientServer("iterations { max_parallel_iterations: 2 }"));
  cluster.Connect();
  cluster.engine("server/0").CancelTraffic(absl::ResourceExhaustedError("too many threads"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(absl::IsResourceExhausted(*cluster.outcome("client/0")));
}

TEST(EngineTest, MoreOutstandingRpcsThanTheLimitEndTheTraffic) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 1000 }") +
                        "overload_limits { max_pending_rpcs: 50 }");
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(absl::IsResourceExhausted(*cluster.outcome("client/0")));
  EXPECT_EQ(cluster.Counts("client/0", "query").cancelled, 51);
}

TEST(EngineTest, CallsThatNeverEndAreCountedAsAbandoned) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 1000 }"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  for (int i = 0; i < 10; ++i) cluster.time().RunNextTimer();
  EXPECT_EQ(cluster.Counts("client/0", "query").abandoned, 10);
}

TEST(EngineTest, RequestsForUnknownRpcsGetTheErrorsThatPeersKnow) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect();
  class Probe final : public ClientCall {
   public:
    void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_TRUE(DecodeResponse(response, &error).ok());
    }
    std::string error;
  };
  ProtocolDriver& driver = cluster.engine("client/0").driver();
  for (const auto& [rpc_index, expected] : std::vector<std::pair<int32_t, std::string>>{
           {7, "rpc_index out of range: 7"}, {-1, "rpc_index out of range: -1"}}) {
    HeadBuffer buffer;
    Probe probe;
    probe.driver_state = driver.NewCallState();
    probe.peer = cluster.plan().instance_by_name.at("server/0");
    probe.request = buffer.EncodeRequest({.rpc_index = rpc_index}, 0);
    driver.StartCall(&probe);
    EXPECT_EQ(probe.error, expected);
  }
}

}  // namespace
}  // namespace distbench
