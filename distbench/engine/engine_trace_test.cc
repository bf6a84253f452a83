// Traces on simulated time: which RPCs are traced, and the way that each tells.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/testing/engine_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Each hop as engine:list:invocation:action:iteration:fanout.
std::string WayOf(const TraceContext& context) {
  std::vector<std::string> hops;
  for (int i = 0; i < context.engine_ids_size(); ++i) {
    hops.push_back(absl::StrCat(context.engine_ids(i), ":", context.actionlist_indices(i), ":",
                                context.actionlist_invocations(i), ":", context.action_indices(i),
                                ":", context.action_iterations(i), ":", context.fanout_index(i)));
  }
  return absl::StrJoin(hops, "/");
}

// The ways to the traced RPCs of one kind, in order of their starts.
std::vector<std::string> Ways(EngineCluster& cluster, const std::string& instance,
                              const std::string& rpc) {
  std::vector<std::string> ways;
  for (const RpcSample& sample : cluster.Counts(instance, rpc).samples) {
    if (sample.has_trace_context()) ways.push_back(WayOf(sample.trace_context()));
  }
  return ways;
}

// Clients ask a root, which asks all leaves, one of them once more from a list within its list.
// Engines: client/0 is 0, root/0 is 1, leaf/0 to leaf/2 are 2 to 4. Lists: client 0, ask 1, get 2,
// again 3, look 4.
std::string ThreeTiers(int queries, const std::string& ask, const std::string& list = "") {
  return absl::StrCat(R"(
    name: "tiers" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "root" count: 1 }
    services { name: "leaf" count: 3 }
    rpc_descriptions { name: "ask" client: "client" server: "root" )",
                      ask, R"( }
    rpc_descriptions { name: "get" client: "root" server: "leaf" }
    rpc_descriptions { name: "look" client: "root" server: "leaf" fanout_filter: "round_robin" }
    action_lists { name: "client" action_names: "nothing" action_names: "ask" )",
                      list, R"( }
    action_lists { name: "ask" action_names: "get" action_names: "again" }
    action_lists { name: "get" }
    action_lists { name: "again" action_names: "look" }
    action_lists { name: "look" }
    actions { name: "nothing" }
    actions { name: "get" rpc_name: "get" }
    actions { name: "again" action_list_name: "again" dependencies: "get" }
    actions { name: "look" rpc_name: "look" iterations { max_iteration_count: 2 } }
    actions { name: "ask" rpc_name: "ask" iterations { max_iteration_count: )",
                      queries, R"( } })");
}

TEST(EngineTraceTest, WithoutAnIntervalNothingIsTraced) {
  EngineCluster cluster(ThreeTiers(5, ""));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_THAT(Ways(cluster, "client/0", "ask"), IsEmpty());
  EXPECT_THAT(Ways(cluster, "root/0", "get"), IsEmpty());
}

TEST(EngineTraceTest, EveryNthIterationIsTracedFromTheFirst) {
  EngineCluster cluster(ThreeTiers(8, "tracing_interval: 3"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_THAT(Ways(cluster, "client/0", "ask"),
              ElementsAre("0:0:0:1:0:0", "0:0:0:1:3:0", "0:0:0:1:6:0"));
}

TEST(EngineTraceTest, WhatATracedRpcCausesIsTracedHopByHop) {
  EngineCluster cluster(ThreeTiers(4, "tracing_interval: 3"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  // The list "ask" has run for each query, traced or not: its invocations are their numbers.
  EXPECT_THAT(Ways(cluster, "root/0", "get"),
              UnorderedElementsAre("0:0:0:1:0:0/1:1:0:0:0:0", "0:0:0:1:0:0/1:1:0:0:0:1",
                                   "0:0:0:1:0:0/1:1:0:0:0:2", "0:0:0:1:3:0/1:1:3:0:0:0",
                                   "0:0:0:1:3:0/1:1:3:0:0:1", "0:0:0:1:3:0/1:1:3:0:0:2"));
}

TEST(EngineTraceTest, AListWithinAListInheritsItsTrace) {
  EngineCluster cluster(ThreeTiers(4, "tracing_interval: 3"));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_THAT(Ways(cluster, "root/0", "look"),
              ElementsAre("0:0:0:1:0:0/1:3:0:0:0:0", "0:0:0:1:0:0/1:3:0:0:1:0",
                          "0:0:0:1:3:0/1:3:3:0:0:0", "0:0:0:1:3:0/1:3:3:0:1:0"));
  EXPECT_EQ(cluster.Counts("root/0", "look").successes, 8);
}

TEST(EngineTraceTest, TheIntervalCountsTheIterationsOfTheRpcWhateverActionSendsIt) {
  const std::string config = absl::StrCat(ThreeTiers(3, "tracing_interval: 2", R"(
                                              action_names: "more")"),
                                          R"(
    actions { name: "more" rpc_name: "ask" dependencies: "ask"
              iterations { max_iteration_count: 3 } })");
  EngineCluster cluster(config);
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  // Iterations 0 and 2 of the one, then 1 of the other.
  EXPECT_THAT(Ways(cluster, "client/0", "ask"),
              ElementsAre("0:0:0:1:0:0", "0:0:0:1:2:0", "0:0:0:2:1:0"));
}

TEST(EngineTraceTest, ATracedIterationIsTracedToAllItsTargets) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 3 }", /*servers=*/3, "tracing_interval: 2"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_THAT(Ways(cluster, "client/0", "query"),
              UnorderedElementsAre("0:0:0:0:0:0", "0:0:0:0:0:1", "0:0:0:0:0:2", "0:0:0:0:2:0",
                                   "0:0:0:0:2:1", "0:0:0:0:2:2"));
}

TEST(EngineTraceTest, AFailedRpcTellsItsWayToo) {
  EngineCluster cluster(
      ClientServer("iterations { max_iteration_count: 2 }", 1, "tracing_interval: 2"));
  cluster.network().FailCalls(absl::UnavailableError("no way"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const auto& failed = log.peer_logs().at("server/0").rpc_logs().at(0).failed_rpc_samples();
  std::vector<std::string> ways;
  for (const RpcSample& sample : failed) ways.push_back(WayOf(sample.trace_context()));
  EXPECT_THAT(ways, UnorderedElementsAre("0:0:0:0:0:0", ""));
}

TEST(EngineTraceTest, SamplesThatAListKeepsOfManyTellTheirWay) {
  EngineCluster cluster(ThreeTiers(1000, "tracing_interval: 1", "max_rpc_samples: 20"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const EngineCluster::RpcCounts asked = cluster.Counts("client/0", "ask");
  ASSERT_EQ(asked.samples.size(), 20u);
  EXPECT_EQ(asked.successes, 1000);
  EXPECT_EQ(Ways(cluster, "client/0", "ask").size(), 20u);
}

}  // namespace
}  // namespace distbench
