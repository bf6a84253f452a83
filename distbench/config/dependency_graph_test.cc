#include "distbench/config/dependency_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TopologicalOrderTest, KeepsAnOrderThatIsValidAlready) {
  EXPECT_THAT(TopologicalOrder({{2}, {2}, {3}, {}}), ElementsAre(0, 1, 2, 3));
}

TEST(TopologicalOrderTest, MovesOnlyWhatHasToWait) {
  EXPECT_THAT(TopologicalOrder({{}, {}, {0}}), ElementsAre(1, 2, 0));
}

TEST(TopologicalOrderTest, IsEmptyForACycle) {
  EXPECT_THAT(TopologicalOrder({{1}, {0}, {}}), IsEmpty());
}

TEST(DisjointCyclesTest, FindsNoneInADiamond) {
  EXPECT_THAT(DisjointCycles({{1, 2}, {3}, {3}, {}}), IsEmpty());
}

TEST(DisjointCyclesTest, NamesTheNodesAlongTheCycleFromTheSmallest) {
  EXPECT_THAT(DisjointCycles({{}, {3}, {1}, {2}}), ElementsAre(ElementsAre(1, 3, 2)));
}

TEST(DisjointCyclesTest, FindsASelfLoopAndAnotherCycle) {
  EXPECT_THAT(DisjointCycles({{0}, {2}, {1}}), ElementsAre(ElementsAre(0), ElementsAre(1, 2)));
}

TEST(DisjointCyclesTest, LongChainsNeedNoStack) {
  constexpr uint32_t kNodes = 1'000'000;
  DependencyGraph ring(kNodes);
  for (uint32_t i = 0; i < kNodes; ++i) ring[i] = {(i + 1) % kNodes};
  const auto cycles = DisjointCycles(ring);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].size(), kNodes);
}

// In random graphs: cycles follow edges and share no node, and there is an order exactly if there
// are no cycles.
TEST(DependencyGraphTest, OrderAndCyclesAgree) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t nodes = 1 + random() % 8;
    DependencyGraph graph(nodes);
    for (uint32_t edge = random() % (nodes + 2); edge > 0; --edge) {
      graph[random() % nodes].push_back(random() % nodes);
    }
    const auto cycles = DisjointCycles(graph);
    const auto order = TopologicalOrder(graph);
    EXPECT_EQ(order.empty(), !cycles.empty());
    std::vector<int> uses(nodes, 0);
    for (const auto& cycle : cycles) {
      for (size_t i = 0; i < cycle.size(); ++i) {
        ++uses[cycle[i]];
        EXPECT_THAT(graph[cycle[i]], testing::Contains(cycle[(i + 1) % cycle.size()]));
      }
    }
    EXPECT_THAT(uses, testing::Each(testing::Le(1)));
    std::vector<uint32_t> place(nodes);
    for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (uint32_t node = 0; node < nodes && !order.empty(); ++node) {
      for (uint32_t next : graph[node]) EXPECT_LT(place[node], place[next]);
    }
  }
}

}  // namespace
}  // namespace distbench
