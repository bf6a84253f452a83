// RPCs on multi-server channels, on simulated time: who is called, and under whom it is filed.
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/testing/engine_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// A client that sends twelve RPCs, one at a time, on a channel of three of the four servers, whose
// list for them is `server_list`.
std::string OnChannel(const std::string& settings, const std::string& server_list = "",
                      const std::string& more = "") {
  return absl::StrCat(R"(
    services { name: "client" count: 1 }
    services { name: "server" count: 4 multi_server_channels {
      name: "some" selected_instances: [3, 0, 1] )",
                      settings, R"( } }
    rpc_descriptions { name: "query" client: "client" server: "server"
                       multi_server_channel_name: "some" }
    actions { name: "run" rpc_name: "query" iterations { max_iteration_count: 12 } }
    action_lists { name: "client" action_names: "run" }
    action_lists { name: "query" )",
                      server_list, " } ", more);
}

constexpr char kPickFirst[] = "channel_settings { name: 'policy' string_value: 'pick_first' }";

TEST(EngineChannelsTest, SamplesAreFiledUnderTheInstanceThatServed) {
  // A list that answers at once, and one that runs.
  for (const auto& [list, more] : std::map<std::string, std::string>{
           {"", ""}, {"action_names: 'nothing'", "actions { name: 'nothing' }"}}) {
    EngineCluster cluster(OnChannel("", list, more));
    cluster.Start();
    ASSERT_TRUE(cluster.RunUntilDone());
    const auto counts = cluster.Counts("client/0", "query");
    EXPECT_THAT(counts.per_server,
                ElementsAre(Pair("server/0", 4), Pair("server/1", 4), Pair("server/3", 4)));
    const ServicePerformanceLog log = cluster.Log("client/0");
    for (const auto& [server, rank] :
         std::map<std::string, int>{{"server/0", 0}, {"server/1", 1}, {"server/3", 3}}) {
      const auto& samples = log.peer_logs().at(server).rpc_logs().at(0).successful_rpc_samples();
      ASSERT_EQ(samples.size(), 4) << server;
      for (const RpcSample& sample : samples) {
        EXPECT_TRUE(sample.has_server_instance());
        EXPECT_EQ(sample.server_instance(), rank);
      }
    }
  }
}

TEST(EngineChannelsTest, ThePolicyIsTheChannels) {
  EngineCluster cluster(OnChannel(kPickFirst));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_THAT(cluster.Counts("client/0", "query").per_server, ElementsAre(Pair("server/3", 12)));
}

TEST(EngineChannelsTest, WhatIsNotAnsweredIsFiledUnderTheFirstMember) {
  EngineCluster cluster(OnChannel(""));
  cluster.network().FailCalls(absl::UnavailableError("gone"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.peer_logs_size(), 1);
  EXPECT_EQ(log.peer_logs().at("server/3").rpc_logs().at(0).statistics().measured_failure().count(),
            12);
}

TEST(EngineChannelsTest, OtherRpcsSayNothingOfInstances) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    EXPECT_FALSE(sample.has_server_instance());
  }
}

}  // namespace
}  // namespace distbench
