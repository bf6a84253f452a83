#include "distbench/node/peers_to_introduce.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compiler.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A service whose instances send to each other, and on a channel of a service of four.
std::shared_ptr<const Plan> PlanWith(const std::string& channel) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(absl::StrCat(R"(
        default_protocol: "fake"
        services { name: "mesh" count: 2 }
        services { name: "server" count: 4 multi_server_channels { name: "some" )",
                                                                         channel, R"( } }
        rpc_descriptions { name: "gossip" client: "mesh" server: "mesh" }
        rpc_descriptions { name: "ask" client: "mesh" server: "server"
                           multi_server_channel_name: "some" }
        actions { name: "gossip" rpc_name: "gossip" } actions { name: "ask" rpc_name: "ask" }
        action_lists { name: "mesh" action_names: "gossip" action_names: "ask" }
        action_lists { name: "gossip" } action_lists { name: "ask" })"),
                                                            &config));
  Diagnostics diagnostics;
  auto plan = CompileTest(config, {.names = {"fake"}}, &diagnostics);
  EXPECT_NE(plan, nullptr) << diagnostics.ToStatus();
  return plan;
}

// All instances of the plan; the servers are in the racks a, b, b, a.
ServiceEndpointMap EndpointsOf(const Plan& plan) {
  ServiceEndpointMap endpoints;
  for (const InstancePlan& instance : plan.instances) {
    ServiceEndpoint& endpoint = (*endpoints.mutable_service_endpoints())[instance.name];
    endpoint.set_endpoint_address(absl::StrCat("at ", instance.name));
    Attribute& rack = *endpoint.add_attributes();
    rack.set_name("rack");
    rack.set_value(instance.rank % 3 == 0 ? "a" : "b");
    Attribute& index = *endpoint.add_attributes();
    index.set_name("index");
    index.set_value(absl::StrCat(instance.rank));
  }
  return endpoints;
}

std::vector<std::string> AddressesOf(const absl::StatusOr<std::vector<PeerEndpoint>>& peers) {
  EXPECT_TRUE(peers.ok()) << peers.status();
  std::vector<std::string> addresses;
  if (peers.ok()) {
    for (const PeerEndpoint& peer : *peers) addresses.push_back(peer.address);
  }
  return addresses;
}

constexpr InstanceIndex kSelf(1);
constexpr ChannelIndex kChannel(0);
constexpr char kRackOf[] =
    "constraints { constraint_sets { constraints { attribute_name: 'rack' relation: EQUAL "
    "string_values: '%' } } }";

std::string InRack(const std::string& rack) {
  std::string text = kRackOf;
  return text.replace(text.find('%'), 1, rack);
}

TEST(PeersCalledByTest, AreTheOthersOfTheServicesButNotThoseOfChannels) {
  const auto plan = PlanWith("selected_instances: 0");
  EXPECT_THAT(AddressesOf(PeersCalledBy(*plan, kSelf, EndpointsOf(*plan))),
              ElementsAre("at mesh/0"));
}

TEST(MembersOfTest, ListedMembersKeepTheirOrder) {
  const auto plan = PlanWith("selected_instances: [3, 0]");
  const auto members = MembersOf(*plan, kChannel, kSelf, EndpointsOf(*plan));
  EXPECT_THAT(AddressesOf(members), ElementsAre("at server/3", "at server/0"));
  EXPECT_EQ((*members)[0].peer, InstanceIndex(5));
}

TEST(MembersOfTest, ConstraintsHoldAgainstTheAttributesOfEndpoints) {
  const auto plan = PlanWith(InRack("b"));
  EXPECT_THAT(AddressesOf(MembersOf(*plan, kChannel, kSelf, EndpointsOf(*plan))),
              ElementsAre("at server/1", "at server/2"));
  const auto by_index = PlanWith(
      "constraints { constraint_sets { constraints { attribute_name: 'index' "
      "relation: MODULO_EQUAL modulus: 2 int64_values: 1 } } }");
  EXPECT_THAT(AddressesOf(MembersOf(*by_index, kChannel, kSelf, EndpointsOf(*by_index))),
              ElementsAre("at server/1", "at server/3"));
}

TEST(MembersOfTest, ConstraintsThatNothingSatisfiesAreAnErrorThatSaysWhatTheyAre) {
  const auto plan = PlanWith(InRack("c"));
  const auto members = MembersOf(*plan, kChannel, kSelf, EndpointsOf(*plan));
  EXPECT_EQ(members.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(members.status().message()),
              AllOf(HasSubstr("'some'"), HasSubstr("'server'"), HasSubstr("mesh/1"),
                    HasSubstr("rack is 'c'")));
}

TEST(MembersOfTest, AMemberWithoutEndpointIsAnErrorThatNamesIt) {
  for (const std::string& channel : {std::string("selected_instances: [1, 2]"), InRack("a")}) {
    const auto plan = PlanWith(channel);
    ServiceEndpointMap endpoints = EndpointsOf(*plan);
    endpoints.mutable_service_endpoints()->erase("server/2");
    EXPECT_THAT(std::string(MembersOf(*plan, kChannel, kSelf, endpoints).status().message()),
                HasSubstr("no entry for 'server/2', to which mesh/1 sends"));
  }
}

TEST(PeersToIntroduceTest, WhoReplaysATraceCallsThoseWhomItsRecordsName) {
  DistributedSystemDescription config;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
        default_protocol: "fake"
        services { name: "client" count: 2 }
        services { name: "server" count: 4 }
        actions { name: "replay" rpc_replay_trace_name: "trace" }
        action_lists { name: "client" action_names: "replay" }
        rpc_replay_traces { name: "trace" client: "client" server: "server"
          records { server_instance: 1 }
          records { server_instance: 3 client_instance: 0 }
          records { server_instance: 2 client_instance: 1 } })",
                                                            &config));
  Diagnostics diagnostics;
  const auto plan = CompileTest(config, {.names = {"fake"}}, &diagnostics);
  ASSERT_NE(plan, nullptr) << diagnostics.ToStatus();
  const ServiceEndpointMap endpoints = EndpointsOf(*plan);
  EXPECT_THAT(AddressesOf(PeersCalledBy(*plan, InstanceIndex(0), endpoints)),
              ElementsAre("at server/1", "at server/3"));
  EXPECT_THAT(AddressesOf(PeersCalledBy(*plan, InstanceIndex(1), endpoints)),
              ElementsAre("at server/1", "at server/2"));
}

}  // namespace
}  // namespace distbench
