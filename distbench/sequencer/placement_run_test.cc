// A test's run on nodes that registered with attributes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/sequencer/fake_cluster_run.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr char kServerOnRackA[] = R"(
  service_constraints {
    key: "server/*"
    value {
      constraint_sets {
        constraints { attribute_name: "rack" relation: EQUAL string_values: "a" }
      }
    }
  })";

// Of each endpoint, its attributes.
std::map<std::string, std::string> AttributesOf(const TestResult& result) {
  std::map<std::string, std::string> attributes;
  for (const auto& [name, endpoint] : result.placement().service_endpoints()) {
    for (const Attribute& attribute : endpoint.attributes()) {
      absl::StrAppend(&attributes[name], attribute.name(), "=", attribute.value(), " ");
    }
  }
  return attributes;
}

TEST(PlacementRunTest, InstancesGoWhereTheAttributesOfNodesAllowAndTheResultSaysSo) {
  FakeCluster cluster;
  StopSignal stop;
  cluster.AddNode();
  cluster.AddNode({.attributes = {{"rack", "a"}}});
  cluster.AddNode({.attributes = {{"rack", "b"}}});
  const TestResult result = RunOn(cluster, ClientServerTest(2, kServerOnRackA), stop);
  EXPECT_THAT(AttributesOf(result),
              ElementsAre(Pair("client/0", "node_alias=node0 index=0 "),
                          Pair("client/1", "rack=b node_alias=node2 index=1 "),
                          Pair("server/0", "rack=a node_alias=node1 index=0 ")));
}

TEST(PlacementRunTest, WithoutASuitableNodeTheTestFailsAndSaysWhichDoesNotAnswer) {
  FakeCluster cluster;
  StopSignal stop;
  cluster.AddNode();
  cluster.AddNode();
  cluster.AddNode({.attributes = {{"rack", "a"}}}).Die();
  const TestResult result = RunOn(cluster, ClientServerTest(1, kServerOnRackA), stop);
  EXPECT_TRUE(absl::StrContains(result.report().status_message(),
                                "service_constraints[server/*]: server/0 needs a node where rack "
                                "is 'a': none; not answering: node2\n"
                                "1 instance competes for 0 nodes: server/0"))
      << result.report().status_message();
}

}  // namespace
}  // namespace distbench
