#include "distbench/sequencer/endpoints.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// A line `client` of two that calls a grid `grid` of 2 x 3 x 2.
Plan MakePlan() {
  Plan plan;
  ServicePlan client;
  client.name = "client";
  client.count = client.x_size = 2;
  client.first = InstanceIndex(0);
  client.called = {ServiceIndex(1)};
  ServicePlan grid;
  grid.name = "grid";
  grid.count = 12;
  grid.first = InstanceIndex(2);
  grid.dimensions = 3;
  grid.x_size = 2;
  grid.y_size = 3;
  grid.z_size = 2;
  plan.services.push_back(client);
  plan.services.push_back(grid);
  for (size_t rank = 0; rank < 2; ++rank) {
    plan.instances.push_back(
        {.name = absl::StrCat("client/", rank), .service = ServiceIndex(0), .rank = rank});
  }
  for (size_t rank = 0; rank < 12; ++rank) {
    plan.instances.push_back(
        {.name = absl::StrCat("grid/", rank % 2, "/", rank / 2 % 3, "/", rank / 6),
         .service = ServiceIndex(1),
         .rank = rank});
  }
  return plan;
}

Participant MakeParticipant(std::vector<InstanceIndex> instances) {
  auto node = std::make_shared<RegisteredNode>();
  node->alias = "node0";
  node->registration.set_hostname("host");
  Attribute& rack = *node->registration.add_attributes();
  rack.set_name("rack");
  rack.set_value("7");
  return {.node = node, .instances = std::move(instances)};
}

ServiceEndpointMap Answer(const std::vector<std::string>& names) {
  ServiceEndpointMap answer;
  for (const std::string& name : names) {
    (*answer.mutable_service_endpoints())[name].set_endpoint_address("10.0.0.1:1");
  }
  return answer;
}

std::string AttributesOf(const ServiceEndpoint& endpoint) {
  std::string text;
  for (const Attribute& a : endpoint.attributes()) {
    absl::StrAppend(&text, a.name(), "=", a.value(), " ");
  }
  return text;
}

TEST(EndpointsTest, CarryTheAttributesOfTheNodeAndThenTheirOwn) {
  const Plan plan = MakePlan();
  ServiceEndpointMap all;
  const Participant participant = MakeParticipant({InstanceIndex(1), InstanceIndex(2 + 9)});
  ASSERT_TRUE(AddEndpoints(plan, participant, Answer({"client/1", "grid/1/1/1"}), all).ok());
  EXPECT_EQ(AttributesOf(all.service_endpoints().at("client/1")), "rack=7 index=1 ");
  EXPECT_EQ(AttributesOf(all.service_endpoints().at("grid/1/1/1")),
            "rack=7 x_index=1 y_index=1 z_index=1 ");
  EXPECT_EQ(all.service_endpoints().at("client/1").hostname(), "host");
  EXPECT_EQ(all.service_endpoints().at("client/1").endpoint_address(), "10.0.0.1:1");
}

TEST(EndpointsTest, AnAnswerWithoutAnInstanceIsAnErrorThatNamesIt) {
  ServiceEndpointMap all;
  const absl::Status status = AddEndpoints(
      MakePlan(), MakeParticipant({InstanceIndex(0), InstanceIndex(1)}), Answer({"client/0"}), all);
  EXPECT_TRUE(absl::StrContains(status.message(), "client/1")) << status;
  EXPECT_TRUE(all.service_endpoints().empty());
}

TEST(EndpointsTest, AnAnswerWithInstancesThatNobodyAskedForIsAnError) {
  ServiceEndpointMap all;
  EXPECT_FALSE(AddEndpoints(MakePlan(), MakeParticipant({InstanceIndex(0)}),
                            Answer({"client/0", "client/1"}), all)
                   .ok());
}

TEST(EndpointsTest, NodesAreToldAllThatMayBeBehindTheirChannels) {
  Plan plan = MakePlan();
  plan.channels.push_back({.name = "some", .server = ServiceIndex(0), .members = {1}});
  plan.services[ServiceIndex(1)].channels = {ChannelIndex(0)};
  ServiceEndpointMap all;
  for (const InstancePlan& instance : plan.instances) {
    (*all.mutable_service_endpoints())[instance.name];
  }
  EXPECT_EQ(EndpointsCalledBy(plan, {InstanceIndex(5)}, all).service_endpoints_size(), 2);
}

TEST(EndpointsTest, NodesAreToldOnlyWhatTheirInstancesSendTo) {
  const Plan plan = MakePlan();
  ServiceEndpointMap all;
  for (size_t i = 0; i < plan.instances.size(); ++i) {
    (*all.mutable_service_endpoints())[plan.instances[InstanceIndex(i)].name];
  }
  const ServiceEndpointMap clients =
      EndpointsCalledBy(plan, {InstanceIndex(0), InstanceIndex(1)}, all);
  EXPECT_EQ(clients.service_endpoints_size(), 12);
  EXPECT_FALSE(clients.service_endpoints().contains("client/0"));
  EXPECT_TRUE(EndpointsCalledBy(plan, {InstanceIndex(2)}, all).service_endpoints().empty());
}

}  // namespace
}  // namespace distbench
