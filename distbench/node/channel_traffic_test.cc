// Traffic on multi-server channels, from configuration to result.
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/node/node_testbed.h"
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
using ::testing::Pair;

// A client that sends ten RPCs on a channel of the servers in rack `rack`.
DistributedSystemDescription TestOnRack(const std::string& rack) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(absl::StrCat(R"(
        name: "channels"
        default_protocol: "fake"
        services { name: "client" count: 1 }
        services {
          name: "server" count: 3
          multi_server_channels { name: "rack" constraints { constraint_sets { constraints {
            attribute_name: "rack" relation: EQUAL string_values: ")",
                                                                         rack, R"(" } } } }
        }
        rpc_descriptions { name: "query" client: "client" server: "server"
                           multi_server_channel_name: "rack" }
        actions { name: "run" rpc_name: "query" iterations { max_iteration_count: 10 } }
        action_lists { name: "client" action_names: "run" }
        action_lists { name: "query" })"),
                                                            &config));
  return config;
}

// Configures a node that hosts everything; server/0 is in rack a, the others in b.
ServiceEndpointMap Configure(NodeTestbed& bed, const DistributedSystemDescription& config) {
  auto endpoints = bed.Configure(0, config, {"client/0", "server/0", "server/1", "server/2"});
  EXPECT_TRUE(endpoints.ok()) << endpoints.status();
  for (auto& [name, endpoint] : *endpoints->mutable_service_endpoints()) {
    Attribute& rack = *endpoint.add_attributes();
    rack.set_name("rack");
    rack.set_value(name == "server/0" ? "a" : "b");
  }
  return *endpoints;
}

TEST(ChannelTrafficTest, GoesToThoseWhoseAttributesSatisfyTheConstraints) {
  NodeTestbed bed(1);
  const ServiceEndpointMap endpoints = Configure(bed, TestOnRack("b"));
  const absl::Status introduced = bed.Introduce(0, endpoints);
  ASSERT_TRUE(introduced.ok()) << introduced;
  ASSERT_TRUE(bed.Run(0).ok());
  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  std::map<std::string, int> samples;
  const auto& client = result->service_logs().instance_logs().at("client/0");
  for (const auto& [peer, log] : client.peer_logs()) {
    for (const RpcSample& sample : log.rpc_logs().at(0).successful_rpc_samples()) {
      EXPECT_EQ(absl::StrCat("server/", sample.server_instance()), peer);
      ++samples[peer];
    }
  }
  EXPECT_THAT(samples, ElementsAre(Pair("server/1", 5), Pair("server/2", 5)));
}

TEST(ChannelTrafficTest, ConstraintsThatNobodySatisfiesFailTheIntroduction) {
  NodeTestbed bed(1);
  const ServiceEndpointMap endpoints = Configure(bed, TestOnRack("c"));
  const absl::Status introduced = bed.Introduce(0, endpoints);
  EXPECT_EQ(introduced.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(introduced.message()),
              AllOf(HasSubstr("channel 'rack'"), HasSubstr("rack is 'c'")));
}

TEST(ChannelTrafficTest, MembersThatCannotBeReachedAreNamed) {
  NodeTestbed bed(1);
  ServiceEndpointMap endpoints = Configure(bed, TestOnRack("a"));
  (*endpoints.mutable_service_endpoints())["server/0"].set_endpoint_address("nowhere");
  const absl::Status introduced = bed.Introduce(0, endpoints);
  EXPECT_THAT(std::string(introduced.message()), HasSubstr("client/0 cannot connect to server/0"));
}

}  // namespace
}  // namespace distbench
