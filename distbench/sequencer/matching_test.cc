#include "distbench/sequencer/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace distbench {
namespace {

// A graph of up to 32 nodes: bit n of a seeker's mask says that it may take node n.
struct Graph {
  size_t nodes = 0;
  std::vector<uint32_t> masks;  // by seeker
};

// The choices of a graph, and the lists that they borrow.
struct ChoicesOf {
  explicit ChoicesOf(const Graph& graph) {
    choices.nodes = graph.nodes;
    for (uint32_t mask : graph.masks) {
      std::vector<NodeIndex>& list = lists.emplace_back();
      for (size_t n = 0; n < graph.nodes; ++n) {
        if (mask >> n & 1) list.push_back(NodeIndex(n));
      }
    }
    for (const std::vector<NodeIndex>& list : lists) choices.of.push_back(list);
  }

  std::vector<std::vector<NodeIndex>> lists;
  NodeChoices choices;
};

// The most of the seekers `masks` that can get a node, by trying all ways, where `taken` are gone.
size_t MostByTrying(absl::Span<const uint32_t> masks, uint32_t taken) {
  if (masks.empty()) return 0;
  size_t most = MostByTrying(masks.subspan(1), taken);
  for (uint32_t free = masks[0] & ~taken; free != 0; free &= free - 1) {
    most = std::max(most, 1 + MostByTrying(masks.subspan(1), taken | (free & -free)));
  }
  return most;
}

size_t CountMatched(const Matching& matching) {
  return std::count_if(matching.node_of.begin(), matching.node_of.end(),
                       [](const std::optional<NodeIndex>& node) { return node.has_value(); });
}

// Each seeker has a node that it may take, and both sides say the same.
void ExpectConsistent(const Graph& graph, const Matching& matching) {
  size_t held = 0;
  for (size_t n = 0; n < graph.nodes; ++n) {
    const std::optional<SeekerIndex> seeker = matching.seeker_of[NodeIndex(n)];
    if (!seeker.has_value()) continue;
    ++held;
    EXPECT_EQ(matching.node_of[*seeker], NodeIndex(n));
    EXPECT_TRUE(graph.masks[seeker->value()] >> n & 1);
  }
  EXPECT_EQ(held, CountMatched(matching));
}

// That the seekers may take these nodes alone, are one too many, and without any one of them are
// not too many.
void ExpectMinimalCompetition(const Graph& graph, const Competition& competition) {
  uint32_t nodes = 0;
  for (NodeIndex node : competition.nodes) nodes |= 1u << node.value();
  std::vector<uint32_t> masks;
  uint32_t union_of_choices = 0;
  for (SeekerIndex seeker : competition.seekers) {
    masks.push_back(graph.masks[seeker.value()]);
    union_of_choices |= masks.back();
  }
  EXPECT_EQ(union_of_choices, nodes);
  EXPECT_EQ(competition.nodes.size() + 1, competition.seekers.size());
  for (size_t i = 0; i < masks.size(); ++i) {
    std::vector<uint32_t> others = masks;
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_EQ(MostByTrying(others, 0), others.size());
  }
}

void ExpectRight(const Graph& graph) {
  const ChoicesOf made(graph);
  const Matching greedy = GreedyMatching(made.choices);
  const Matching maximum = MaximumMatching(made.choices, greedy);
  ExpectConsistent(graph, greedy);
  ExpectConsistent(graph, maximum);
  EXPECT_EQ(CountMatched(maximum), MostByTrying(graph.masks, 0));
  for (size_t i = 0; i < graph.masks.size(); ++i) {
    const SeekerIndex seeker(i);
    const bool has_node = maximum.node_of[seeker].has_value();
    EXPECT_TRUE(has_node || !greedy.node_of[seeker].has_value()) << "lost its node";
    if (has_node) continue;
    const Competition competition = CompetitionOf(made.choices, maximum, seeker);
    EXPECT_TRUE(std::is_sorted(competition.seekers.begin(), competition.seekers.end()));
    EXPECT_TRUE(std::binary_search(competition.seekers.begin(), competition.seekers.end(), seeker));
    ExpectMinimalCompetition(graph, competition);
  }
}

TEST(MatchingTest, IsMaximumOnEveryGraphOfUpToFourByFour) {
  for (size_t seekers = 0; seekers <= 4; ++seekers) {
    for (size_t nodes = 0; nodes <= 4; ++nodes) {
      for (uint32_t edges = 0; edges < 1u << (seekers * nodes); ++edges) {
        Graph graph{.nodes = nodes, .masks = {}};
        for (size_t s = 0; s < seekers; ++s) {
          graph.masks.push_back(edges >> (s * nodes) & ((1u << nodes) - 1));
        }
        ExpectRight(graph);
        ASSERT_FALSE(HasFailure()) << seekers << " x " << nodes << ", edges " << edges;
      }
    }
  }
}

TEST(MatchingTest, IsMaximumOnRandomGraphs) {
  std::mt19937 random(20);
  for (int round = 0; round < 2000; ++round) {
    Graph graph{.nodes = 1 + random() % 7, .masks = {}};
    const uint32_t one_in = 1 + random() % 5;  // of the possible edges
    for (size_t s = random() % 8; s > 0; --s) {
      uint32_t mask = 0;
      for (size_t n = 0; n < graph.nodes; ++n) mask |= (random() % one_in == 0 ? 1u : 0u) << n;
      graph.masks.push_back(mask);
    }
    ExpectRight(graph);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(MatchingTest, GreedyGivesEachTheFirstFreeNode) {
  const ChoicesOf made({.nodes = 4, .masks = {0b0110, 0b0110, 0b1111, 0b0110}});
  const Matching greedy = GreedyMatching(made.choices);
  EXPECT_EQ(greedy.node_of[SeekerIndex(0)], NodeIndex(1));
  EXPECT_EQ(greedy.node_of[SeekerIndex(1)], NodeIndex(2));
  EXPECT_EQ(greedy.node_of[SeekerIndex(2)], NodeIndex(0));
  EXPECT_EQ(greedy.node_of[SeekerIndex(3)], std::nullopt);
}

TEST(MatchingTest, WhoIsInNobodysWayKeepsItsNode) {
  // The last one needs node 0, so the first must move; the second need not.
  const ChoicesOf made({.nodes = 4, .masks = {0b1001, 0b0110, 0b0001}});
  const Matching maximum = MaximumMatching(made.choices, GreedyMatching(made.choices));
  EXPECT_EQ(maximum.node_of[SeekerIndex(0)], NodeIndex(3));
  EXPECT_EQ(maximum.node_of[SeekerIndex(1)], NodeIndex(1));
  EXPECT_EQ(maximum.node_of[SeekerIndex(2)], NodeIndex(0));
}

// One path through all of 3000 nodes.
TEST(MatchingTest, AChainOfMovesMayBeLong) {
  constexpr size_t kNodes = 3000;
  std::vector<std::vector<NodeIndex>> lists;
  for (size_t i = 0; i + 1 < kNodes; ++i) lists.push_back({NodeIndex(i), NodeIndex(i + 1)});
  lists.push_back({NodeIndex(0)});
  NodeChoices choices;
  choices.nodes = kNodes;
  for (const std::vector<NodeIndex>& list : lists) choices.of.push_back(list);
  const Matching maximum = MaximumMatching(choices, GreedyMatching(choices));
  EXPECT_EQ(CountMatched(maximum), kNodes);
  EXPECT_EQ(maximum.node_of[SeekerIndex(0)], NodeIndex(1));
}

}  // namespace
}  // namespace distbench
