#include "distbench/sequencer/node_pool.h"

#include <gtest/gtest.h>

#include <optional>

#include "absl/strings/match.h"
#include "distbench/sequencer/fake_node.h"
#include "distbench/sequencer/simulated_events.h"
#include "distbench/testing/simulated_time.h"

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
  static NodeRegistration Process(const std::string& host, int port, uint64_t incarnation) {
    NodeRegistration registration = Registration(host, port);
    registration.set_incarnation(incarnation);
    return registration;
  }
  // Waits for whatever nodes take to answer.
  absl::StatusOr<NodePointer> Register(const NodeRegistration& registration) {
    std::optional<absl::StatusOr<NodePointer>> registered;
    pool_.Register(registration,
                   [&](absl::StatusOr<NodePointer> node) { registered = std::move(node); });
    while (!registered.has_value() && time_.RunNextTimer()) continue;
    return registered.value_or(absl::InternalError("never answered"));
  }
  std::string AliasOf(const NodeRegistration& registration) {
    const absl::StatusOr<NodePointer> node = Register(registration);
    return node.ok() ? (*node)->alias : std::string(node.status().message());
  }
  std::vector<std::string> Aliases() const {
    std::vector<std::string> aliases;
    for (const NodePointer& node : pool_.Nodes()) aliases.push_back(node->alias);
    return aliases;
  }

  FakeNode& latest() { return *nodes_.back(); }

  SimulatedTime time_;
  SimulatedEvents events_{time_};
  std::vector<std::string> journal_;
  std::vector<std::shared_ptr<FakeNode>> nodes_;  // one for each stub that was made
  NodePool pool_{[this](const NodeRegistration& registration) {
    nodes_.push_back(std::make_shared<FakeNode>(registration.hostname(), FakeNodeOptions(), time_,
                                                events_, journal_));
    return nodes_.back();
  }};
};

TEST_F(NodePoolTest, NumbersNodesInTheOrderOfTheirRegistration) {
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(AliasOf(Registration("b", 1)), "node1");
  EXPECT_EQ(AliasOf(Registration("a", 2)), "node2");
}

TEST_F(NodePoolTest, ARegistrationThatMayBeARestartGetsTheSameNumberAndAFreshStub) {
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(AliasOf(Registration("b", 1)), "node1");
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node0", "node1"}));
  EXPECT_EQ(nodes_.size(), 3u);

  EXPECT_EQ(AliasOf(Process("a", 1, 77)), "node0");
  EXPECT_EQ(AliasOf(Process("a", 1, 78)), "node0");
  EXPECT_EQ(nodes_.size(), 5u);
}

TEST_F(NodePoolTest, AProcessThatRepeatsItselfChangesNothing) {
  EXPECT_EQ(AliasOf(Process("a", 1, 77)), "node0");
  const NodePointer before = pool_.Nodes()[0];
  NodeRegistration again = Process("a", 1, 77);
  again.set_former_node_id(0);
  EXPECT_EQ(AliasOf(again), "node0");
  EXPECT_EQ(pool_.Nodes()[0], before);
  EXPECT_EQ(nodes_.size(), 1u);
}

TEST_F(NodePoolTest, ANodeGetsItsFormerNumberBackWhereNobodyHasIt) {
  NodeRegistration a = Registration("a", 1);
  a.set_former_node_id(3);
  EXPECT_EQ(AliasOf(a), "node3");
  NodeRegistration b = Registration("b", 1);
  b.set_former_node_id(3);
  EXPECT_EQ(AliasOf(b), "node0");
  NodeRegistration c = Registration("c", 1, 9);
  c.set_former_node_id(5);
  EXPECT_EQ(AliasOf(c), "node9");
  NodeRegistration d = Registration("d", 1);
  d.set_former_node_id(-7);
  EXPECT_EQ(AliasOf(d), "node1");
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
  const absl::StatusOr<NodePointer> second = Register(Registration("b", 2, 7));
  EXPECT_EQ(second.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(second.status().message(), "b:2 asks to be node7"));
  EXPECT_TRUE(absl::StrContains(second.status().message(), "a:1"));
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node7"}));
  EXPECT_EQ(pool_.Nodes()[0]->registration.hostname(), "a");
}

TEST_F(NodePoolTest, TheNumberOfANodeThatDoesNotAnswerIsFree) {
  AliasOf(Registration("a", 1, 7));
  latest().Die();
  EXPECT_EQ(AliasOf(Registration("b", 2, 7)), "node7");
  latest().Freeze("ProbeClock");
  EXPECT_EQ(AliasOf(Registration("c", 3, 7)), "node7");
  ASSERT_EQ(Aliases(), (std::vector<std::string>{"node7"}));
  EXPECT_EQ(pool_.Nodes()[0]->registration.hostname(), "c");
  // Its former holder is a newcomer, should it come back.
  EXPECT_EQ(AliasOf(Registration("a", 1)), "node0");
}

TEST_F(NodePoolTest, ANodeThatCameBackWhileItWasAskedKeepsItsNumber) {
  AliasOf(Registration("a", 1, 7));
  FakeNode& former = latest();
  former.When("ProbeClock", [&] {
    pool_.Register(Registration("a", 1, 7), [](const absl::StatusOr<NodePointer>&) {});
    former.Die();
  });
  EXPECT_EQ(Register(Registration("b", 2, 7)).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(pool_.Nodes()[0]->registration.hostname(), "a");
}

TEST_F(NodePoolTest, ANodeThatComesBackUnderAnotherNumberLeavesItsOldOne) {
  AliasOf(Registration("a", 1));
  EXPECT_EQ(AliasOf(Registration("a", 1, 4)), "node4");
  EXPECT_EQ(Aliases(), (std::vector<std::string>{"node4"}));
}

TEST_F(NodePoolTest, HostNameAndAValidPortAreRequired) {
  for (const NodeRegistration& bad : {Registration("", 1), Registration("a", 0),
                                      Registration("a", -1), Registration("a", 65536)}) {
    EXPECT_EQ(Register(bad).status().code(), absl::StatusCode::kInvalidArgument)
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
