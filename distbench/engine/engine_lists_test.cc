// The engine's action lists on simulated time: order, nesting, answers.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

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

TEST(EngineListsTest, AnActionStartsWhenAllItsDependenciesHaveFinished) {
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

TEST(EngineListsTest, ALongChainOfEmptyActionsNestsNothingAndReachesItsEnd) {
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

TEST(EngineListsTest, ANestedListRunsOnceAnIterationAndInheritsWarmup) {
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

TEST(EngineListsTest, AServersListAnswersWhenItHasEndedAndWarmupGoesDownstream) {
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

TEST(EngineListsTest, AnEarlyResponseGoesOutBeforeLaterActionsWhichStillRun) {
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

TEST(EngineListsTest, RequestsThatArriveBeforePeersAreIntroducedWait) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect(/*serve=*/false);
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  cluster.BeginServing();
  EXPECT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
}

TEST(EngineListsTest, ManySuspendedServerListsAllEnd) {
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

}  // namespace
}  // namespace distbench
