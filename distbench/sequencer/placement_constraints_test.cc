// Placement by service_constraints: who goes where, and what is said if somebody cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/sequencer/placement.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// Instances s/0 to s/N-1 of a test, each of which may go to the nodes of its list alone; a list
// that is missing means any node.
class Case {
 public:
  Case(size_t nodes, std::vector<std::optional<std::vector<size_t>>> lists) : lists_(lists) {
    for (size_t n = 0; n < nodes; ++n) {
      PlacementNode node{.alias = absl::StrCat("node", n), .attributes = {}};
      node.attributes.Set("id", absl::StrCat(n));
      nodes_.usable.push_back(node);
    }
    for (size_t i = 0; i < lists.size(); ++i) {
      const std::string name = absl::StrCat("s/", i);
      plan_.instance_by_name[name] =
          plan_.instances.push_back({.name = name, .service = ServiceIndex(0), .rank = i});
      plan_.node_requirements.push_back(lists[i].has_value() ? Requirement(name, *lists[i])
                                                             : nullptr);
    }
  }

  void Bundle(size_t node, size_t instance) {
    (*config_.mutable_node_service_bundles())[absl::StrCat("node", node)].add_services(
        absl::StrCat("s/", instance));
    plan_.node_requirements[InstanceIndex(instance)] = nullptr;  // as the compiler does
    bundled_nodes_.insert(node);
    bundled_.insert(instance);
  }

  void Silence(const std::string& alias, size_t id) {
    PlacementNode node{.alias = alias, .attributes = {}};
    node.attributes.Set("id", absl::StrCat(id));
    nodes_.silent.push_back(node);
  }

  absl::StatusOr<Placement> Place() const { return PlaceInstances(plan_, config_, nodes_); }

  // "1 0 2": the node of each instance; or the error.
  std::string Text() const {
    const absl::StatusOr<Placement> placement = Place();
    if (!placement.ok()) return std::string(placement.status().message());
    std::vector<uint32_t> nodes;
    for (NodeIndex node : *placement) nodes.push_back(node.value());
    return absl::StrJoin(nodes, " ");
  }

  // Whether instance may go to the node, as far as bundles and its own list say.
  bool Allows(size_t instance, size_t node) const {
    if (bundled_nodes_.contains(node)) return false;
    const auto& list = lists_[instance];
    return !list.has_value() || std::find(list->begin(), list->end(), node) != list->end();
  }

  // Whether there is an assignment at all, by trying.
  bool IsPossible() const { return IsPossibleFrom(0, {}); }

  size_t node_count() const { return nodes_.usable.size(); }
  bool is_bundled(size_t instance) const { return bundled_.contains(instance); }

 private:
  static std::shared_ptr<const NodeRequirement> Requirement(const std::string& key,
                                                            const std::vector<size_t>& ids) {
    auto constraints = std::make_shared<ConstraintList>();
    Constraint& constraint = *constraints->add_constraint_sets()->add_constraints();
    constraint.set_attribute_name("id");
    constraint.set_relation(Constraint::EQUAL);
    for (size_t id : ids) constraint.add_int64_values(static_cast<int64_t>(id));
    auto requirement = std::make_shared<NodeRequirement>();
    requirement->keys = {key};
    requirement->constraints = std::move(constraints);
    return requirement;
  }

  bool IsPossibleFrom(size_t instance, std::set<size_t> taken) const {
    if (instance == lists_.size()) return true;
    if (is_bundled(instance)) return IsPossibleFrom(instance + 1, taken);
    for (size_t node = 0; node < node_count(); ++node) {
      if (taken.contains(node) || !Allows(instance, node)) continue;
      std::set<size_t> more = taken;
      more.insert(node);
      if (IsPossibleFrom(instance + 1, more)) return true;
    }
    return false;
  }

  const std::vector<std::optional<std::vector<size_t>>> lists_;
  Plan plan_;
  DistributedSystemDescription config_;
  PlacementNodes nodes_;
  std::set<size_t> bundled_nodes_;
  std::set<size_t> bundled_;
};

using Ids = std::vector<size_t>;

TEST(PlacementConstraintsTest, EachTakesTheFirstFreeNodeThatSatisfiesIt) {
  EXPECT_EQ(Case(4, {Ids{1, 2}, Ids{1, 2, 3}, Ids{0, 3}}).Text(), "1 2 0");
}

TEST(PlacementConstraintsTest, WhoRequiresNothingChoosesLast) {
  EXPECT_EQ(Case(3, {std::nullopt, std::nullopt, Ids{0, 1}}).Text(), "1 2 0");
}

TEST(PlacementConstraintsTest, BundlesAreAsWrittenAndTheirNodesAreTaken) {
  Case bundled(3, {Ids{1}, Ids{0, 1, 2}, std::nullopt});
  bundled.Bundle(0, 0);
  EXPECT_EQ(bundled.Text(), "0 1 2");
}

TEST(PlacementConstraintsTest, WhereTheFirstChoicesLeaveSomebodyOutOthersMakeRoom) {
  EXPECT_EQ(Case(3, {Ids{0, 1}, Ids{0}, std::nullopt}).Text(), "1 0 2");
  // A chain: each moves one on.
  EXPECT_EQ(Case(4, {Ids{0, 1}, Ids{1, 2}, Ids{2, 3}, Ids{0}}).Text(), "1 2 3 0");
}

TEST(PlacementConstraintsTest, OthersStayWhereTheyAre) {
  EXPECT_EQ(Case(4, {Ids{0, 3}, Ids{1, 2}, Ids{0}, std::nullopt}).Text(), "3 1 0 2");
}

TEST(PlacementConstraintsTest, AnErrorNamesRequirementNodesAndCompetition) {
  EXPECT_EQ(
      Case(4, {Ids{1}, std::nullopt, Ids{1}, Ids{2, 3}}).Text(),
      "1 of 4 instances found no node: s/2. 4 nodes are registered; a node hosts one instance "
      "unless told otherwise. Start 1 more node manager with the attributes that are required or "
      "put several instances on a node by node_service_bundles\n"
      "service_constraints[s/2]: s/2 needs a node where id is 1: node1\n"
      "2 instances compete for 1 node: s/0, s/2 for node1");
}

TEST(PlacementConstraintsTest, AnErrorSaysWhichNodesWouldDoButAreTakenOrSilent) {
  Case full(2, {std::nullopt, Ids{0, 5}});
  full.Bundle(0, 0);
  full.Silence("node5", 5);
  full.Silence("node6", 6);
  EXPECT_EQ(full.Text(),
            "1 of 2 instances found no node: s/1. 4 nodes are registered, of which 2 do not "
            "answer: node5, node6; a node hosts one instance unless told otherwise. Start 1 more "
            "node manager with the attributes that are required, restart those that do not "
            "answer, or put several instances on a node by node_service_bundles\n"
            "service_constraints[s/1]: s/1 needs a node where id is 0 or 5: none; taken by "
            "node_service_bundles: node0; not answering: node5\n"
            "1 instance competes for 0 nodes: s/1");
}

TEST(PlacementConstraintsTest, WhoRequiresNothingCompetesWithEverybody) {
  EXPECT_EQ(Case(2, {Ids{1}, std::nullopt, std::nullopt}).Text(),
            "1 of 3 instances found no node: s/2. 2 nodes are registered; a node hosts one "
            "instance unless told otherwise. Start 1 more node manager or put several instances "
            "on a node by node_service_bundles\n"
            "3 instances compete for 2 nodes: s/0, s/1, s/2 for node0, node1");
}

TEST(PlacementConstraintsTest, RequirementsOfManyAreCut) {
  std::vector<std::optional<Ids>> lists(300, Ids{1});
  const std::string error = Case(2, lists).Text();
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1 + 100 + 1);
  EXPECT_NE(error.find("\nand 199 more requirements\n"), std::string::npos);
}

// Instance i may take the first N - i nodes; half of them are in somebody's way at first.
TEST(PlacementConstraintsTest, AThousandInstancesFindTheOnlyPlacementThatThereIs) {
  constexpr size_t kCount = 1000;
  std::vector<std::optional<Ids>> lists(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    lists[i].emplace(kCount - i);
    std::iota(lists[i]->begin(), lists[i]->end(), 0);
  }
  const absl::StatusOr<Placement> placement = Case(kCount, lists).Place();
  ASSERT_TRUE(placement.ok()) << placement.status();
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ((*placement)[InstanceIndex(i)], NodeIndex(kCount - 1 - i));
  }
}

// The numbers after each `prefix` in the text.
std::set<size_t> NumbersAfter(const std::string& prefix, const std::string& text) {
  std::set<size_t> numbers;
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    numbers.insert(std::stoul(text.substr(at + prefix.size())));
  }
  return numbers;
}

Case DrawCase(std::mt19937& random) {
  const size_t nodes = random() % 6;
  std::vector<std::optional<Ids>> lists(random() % 6);
  for (std::optional<Ids>& list : lists) {
    if (random() % 3 == 0) continue;
    list.emplace();
    for (size_t n = 0; n < nodes; ++n) {
      if (random() % 2 == 0) list->push_back(n);
    }
  }
  Case drawn(nodes, lists);
  if (nodes > 0 && !lists.empty() && random() % 3 == 0) {
    drawn.Bundle(random() % nodes, random() % lists.size());
  }
  return drawn;
}

void ExpectValid(const Case& drawn, const Placement& placement) {
  std::set<uint32_t> used;
  for (size_t i = 0; i < placement.size(); ++i) {
    if (drawn.is_bundled(i)) continue;
    const uint32_t node = placement[InstanceIndex(i)].value();
    EXPECT_TRUE(drawn.Allows(i, node));
    EXPECT_TRUE(used.insert(node).second);
  }
}

// Every node that the named instances may take is named, and they are one too many.
void ExpectCompetition(const Case& drawn, const std::string& error) {
  const std::string line = error.substr(error.rfind('\n') + 1);
  const std::set<size_t> instances = NumbersAfter("s/", line);
  const std::set<size_t> named = NumbersAfter("node", line.substr(line.find(':')));
  std::set<size_t> allowed;
  for (size_t i : instances) {
    EXPECT_FALSE(drawn.is_bundled(i));
    for (size_t n = 0; n < drawn.node_count(); ++n) {
      if (drawn.Allows(i, n)) allowed.insert(n);
    }
  }
  EXPECT_EQ(named, allowed);
  EXPECT_EQ(instances.size(), named.size() + 1);
}

TEST(PlacementConstraintsTest, FindsAPlacementWhereverThereIsOne) {
  std::mt19937 random(5);
  size_t placed = 0;
  for (int round = 0; round < 3000; ++round) {
    const Case drawn = DrawCase(random);
    const absl::StatusOr<Placement> placement = drawn.Place();
    ASSERT_EQ(placement.ok(), drawn.IsPossible()) << "round " << round;
    if (placement.ok()) {
      ++placed;
      ExpectValid(drawn, *placement);
    } else {
      ExpectCompetition(drawn, std::string(placement.status().message()));
    }
    ASSERT_FALSE(HasFailure()) << "round " << round << ": " << drawn.Text();
  }
  EXPECT_GT(placed, 1000u);
  EXPECT_LT(placed, 2500u);
}

}  // namespace
}  // namespace distbench
