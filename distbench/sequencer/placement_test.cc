#include "distbench/sequencer/placement.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "distbench/sequencer/fake_cluster.h"

namespace distbench {
namespace {

// "node3 rack=a slot=1": an alias and attributes. The alias is an attribute too.
PlacementNode ParseNode(const std::string& text) {
  std::vector<std::string> words = absl::StrSplit(text, ' ');
  PlacementNode node{.alias = words[0], .attributes = {}};
  node.attributes.Set("node_alias", words[0]);
  for (size_t i = 1; i < words.size(); ++i) {
    std::pair<std::string, std::string> attribute = absl::StrSplit(words[i], '=');
    node.attributes.Set(attribute.first, attribute.second);
  }
  return node;
}

PlacementNodes Nodes(const std::vector<std::string>& usable,
                     const std::vector<std::string>& silent = {}) {
  PlacementNodes nodes;
  for (const std::string& text : usable) nodes.usable.push_back(ParseNode(text));
  for (const std::string& text : silent) nodes.silent.push_back(ParseNode(text));
  return nodes;
}

// "client/0@node1 server/0@node0", or the error.
std::string Place(int clients, const std::string& bundles, const PlacementNodes& nodes) {
  TestSequence sequence = ClientServerTest(clients, bundles);
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan =
      CompileTest(sequence.tests(0), FakeDrivers(), &diagnostics);
  if (plan == nullptr) return std::string(diagnostics.ToStatus().message());
  const absl::StatusOr<Placement> placement = PlaceInstances(*plan, sequence.tests(0), nodes);
  if (!placement.ok()) return std::string(placement.status().message());
  std::vector<std::string> parts;
  for (size_t i = 0; i < placement->size(); ++i) {
    const InstanceIndex instance(i);
    parts.push_back(absl::StrCat(plan->instances[instance].name, "@",
                                 nodes.usable[(*placement)[instance]].alias));
  }
  return absl::StrJoin(parts, " ");
}

constexpr char kServerOnNode1[] =
    R"(node_service_bundles { key: "node1" value { services: "server/0" } })";

TEST(PlacementTest, WithoutBundlesEachInstanceGetsTheNextNode) {
  EXPECT_EQ(Place(2, "", Nodes({"node0", "node1", "node2"})),
            "client/0@node0 client/1@node1 server/0@node2");
}

TEST(PlacementTest, NodesThatAreLeftOverStayIdle) {
  EXPECT_EQ(Place(1, "", Nodes({"node0", "node1", "node2"})), "client/0@node0 server/0@node1");
}

TEST(PlacementTest, BundlesGoFirstAndTheRestGoesToNodesWithoutOne) {
  EXPECT_EQ(Place(2, kServerOnNode1, Nodes({"node0", "node1", "node2"})),
            "client/0@node0 client/1@node2 server/0@node1");
}

TEST(PlacementTest, ABundlePutsSeveralInstancesOnOneNode) {
  EXPECT_EQ(Place(2, R"(node_service_bundles {
                          key: "node0"
                          value { services: "client/0" services: "client/1" services: "server/0" }
                        })",
                  Nodes({"node0"})),
            "client/0@node0 client/1@node0 server/0@node0");
}

TEST(PlacementTest, AnEmptyBundleLeavesItsNodeFree) {
  EXPECT_EQ(
      Place(1, R"(node_service_bundles { key: "node0" value {} })", Nodes({"node0", "node1"})),
      "client/0@node0 server/0@node1");
}

TEST(PlacementTest, EveryInstanceWithoutANodeIsNamedWithTheRemedy) {
  EXPECT_EQ(Place(3, "", Nodes({"node0", "node1"})),
            "2 of 4 instances found no node: client/2, server/0. 2 nodes are registered; a node "
            "hosts one instance unless told otherwise. Start 2 more node managers or put several "
            "instances on a node by node_service_bundles\n"
            "3 instances compete for 2 nodes: client/0, client/1, client/2 for node0, node1");
}

TEST(PlacementTest, NodesThatDoNotAnswerAreNamed) {
  const std::string error = Place(1, "", Nodes({"node0"}, {"node1", "node2"}));
  EXPECT_TRUE(absl::StrContains(
      error, "3 nodes are registered, of which 2 do not answer: node1, node2; a node hosts"))
      << error;
  EXPECT_TRUE(absl::StrContains(error, "restart those that do not answer")) << error;
}

TEST(PlacementTest, WithoutAUsableNodeNobodyIsToldToNameOne) {
  EXPECT_TRUE(absl::StrContains(Place(1, "", Nodes({})), "No node is registered;"));
  EXPECT_TRUE(absl::StrContains(Place(1, "", Nodes({}, {"node0"})),
                                "1 node is registered, of which 1 does not answer: node0;"));
  const std::string error = Place(1, kServerOnNode1, Nodes({}, {"node0"}));
  EXPECT_TRUE(absl::StrContains(error, "start a node manager of that name\n")) << error;
}

TEST(PlacementTest, ABundleOnANodeThatIsNotThereIsAnError) {
  const std::string error = Place(1, kServerOnNode1, Nodes({"node0", "node2"}));
  EXPECT_TRUE(absl::StrContains(error,
                                "node_service_bundles[node1] places server/0 on node1, "
                                "which is not registered"))
      << error;
  EXPECT_TRUE(absl::StrContains(error, "node0, node2")) << error;
  EXPECT_FALSE(absl::StrContains(error, "found no node")) << error;
}

TEST(PlacementTest, ABundleOnANodeThatDoesNotAnswerSaysSo) {
  const std::string error = Place(1, kServerOnNode1, Nodes({"node0"}, {"node1"}));
  EXPECT_TRUE(absl::StrContains(error, "registered but does not answer")) << error;
}

TEST(PlacementTest, AllProblemsAreReportedAtOnce) {
  const std::string error = Place(2, kServerOnNode1, Nodes({"node0"}));
  EXPECT_TRUE(absl::StrContains(error, "node_service_bundles[node1]")) << error;
  EXPECT_TRUE(absl::StrContains(error, "1 of 3 instances found no node: client/1")) << error;
}

}  // namespace
}  // namespace distbench
