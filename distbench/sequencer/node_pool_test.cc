#include "distbench/sequencer/node_pool.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"

namespace distbench {
namespace {

class NodePoolTest : public testing::Test {
 protected:
  static NodeRegistration Registration(const std::string& host, int port, int id = -1) {
    NodeRegistration registration;
    registration.set_hostname(host);
    registration.set_control_port(port);
    if (id >= 0) registration.set_preassigned_node_id(id);
    return registration;
  }
  std::string AliasOf(const NodeRegistration& registration) {
    const absl::StatusOr<NodePointer> node = pool_.Register(registration);
    return node.ok() ? (*node)->alias : std::string(node.status().message());
  }
  std::vector<std::string> Aliases() const {
    std::vector<std::string> aliases;
    for (const NodePointer& node : pool_.Nodes()) aliases.push_back(node->alias);
    return aliases;
  }

  int stubs_made_ = 0;
  NodePool pool_{[this](const NodeRegistration&) {
    ++stubs_made_;
    return nullptr;
  }};
};

TEST_F(NodePoolTest, NumbersNodesInTheOrderOfTheirRegistration) {
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(AliasOf(Registration("b", 1)), "node1");
  EXPECT_EQ(AliasOf(Registration("a", 2)), "node2");
}

TEST_F(NodePoolTest, TheSameRegistrationAgainGetsTheSameNumberAndAFreshStub) {
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(AliasOf(Registration("b", 1)), "node1");
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node0", "node1"}));
  EXPECT_EQ(stubs_made_, 3);
}

TEST_F(NodePoolTest, ARestartedNodeKeepsItsNumberAndGetsItsNewAttributes) {
  AliasOf(Registration("a", 1));
  NodeRegistration restarted = Registration("a", 1);
  Attribute& rack = *restarted.add_attributes();
  rack.set_name("rack");
  rack.set_value("7");
  EXPECT_EQ(AliasOf(restarted), "node0");
  EXPECT_EQ(pool_.Nodes()[0]->registration.attributes(0).value(), "7");
}

TEST_F(NodePoolTest, PreassignedNumbersAreOrderedAsNumbers) {
  EXPECT_EQ(AliasOf(Registration("a", 1, 10)), "node10");
  EXPECT_EQ(AliasOf(Registration("b", 1, 9)), "node9");
  EXPECT_EQ(AliasOf(Registration("c", 1)), "node0");
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node0", "node9", "node10"}));
}

TEST_F(NodePoolTest, NumbersThatAreTakenAreSkipped) {
  AliasOf(Registration("a", 1, 0));
  AliasOf(Registration("b", 1, 2));
  EXPECT_EQ(AliasOf(Registration("c", 1)), "node1");
  EXPECT_EQ(AliasOf(Registration("d", 1)), "node3");
}

TEST_F(NodePoolTest, AnOccupiedNumberIsRefusedNamingBothNodes) {
  AliasOf(Registration("a", 1, 7));
  const absl::StatusOr<NodePointer> second = pool_.Register(Registration("b", 2, 7));
  EXPECT_EQ(second.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(second.status().message(), "b:2 asks to be node7"));
  EXPECT_TRUE(absl::StrContains(second.status().message(), "a:1"));
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node7"}));
}

TEST_F(NodePoolTest, ANodeThatComesBackUnderAnotherNumberLeavesItsOldOne) {
  AliasOf(Registration("a", 1));
  EXPECT_EQ(AliasOf(Registration("a", 1, 4)), "node4");
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node4"}));
}

TEST_F(NodePoolTest, HostNameAndAValidPortAreRequired) {
  for (const NodeRegistration& bad : {Registration("", 1), Registration("a", 0),
                                      Registration("a", -1), Registration("a", 65536)}) {
    EXPECT_EQ(pool_.Register(bad).status().code(), absl::StatusCode::kInvalidArgument)
        << bad.ShortDebugString();
  }
  EXPECT_TRUE(Aliases().empty());
}

TEST_F(NodePoolTest, AttributesTellTheAliasUnlessTheNodeDid) {
  AliasOf(Registration("a", 1));
  const NodeRegistration& added = pool_.Nodes()[0]->registration;
  ASSERT_EQ(added.attributes_size(), 1);
  EXPECT_EQ(added.attributes(0).name(), "node_alias");
  EXPECT_EQ(added.attributes(0).value(), "node0");

  NodeRegistration told = Registration("b", 1, 5);
  *told.add_attributes() = added.attributes(0);
  told.mutable_attributes(0)->set_value("node5");
  AliasOf(told);
  EXPECT_EQ(pool_.Nodes()[1]->registration.attributes_size(), 1);
}

TEST_F(NodePoolTest, TheTargetIsWhatTheNodeSaysElseItsHostAndPort) {
  NodeRegistration registration = Registration("a", 1);
  EXPECT_EQ(NodeTarget(registration), "dns:///a:1");
  registration.set_service_address("ipv6:///[::1]:9");
  EXPECT_EQ(NodeTarget(registration), "ipv6:///[::1]:9");
}

}  // namespace
}  // namespace distbench
