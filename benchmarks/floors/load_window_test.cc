#include "benchmarks/floors/load_window.h"

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(LoadTallyTest, WarmupDoesNotCountAndTheWindowGoesFromFirstStartToLastEnd) {
  const LoadWindow window = {.start_ns = 1000, .end_ns = 2000};
  std::vector<std::unique_ptr<LoadTally>> tallies;
  for (int thread = 0; thread < 2; ++thread) {
    tallies.push_back(std::make_unique<LoadTally>(window));
  }
  tallies[0]->CountWithLatency(999, 1500);  // began too early
  tallies[0]->CountWithLatency(1100, 1300);
  tallies[1]->CountWithLatency(1050, 1150);
  tallies[1]->CountWithLatency(1999, 2400);  // began in time, ended late
  const LoadResult result = Sum(tallies);
  EXPECT_EQ(result.rpcs, 3);
  EXPECT_EQ(result.end_wall_ns - result.start_wall_ns, 2400 - 1050);
  EXPECT_EQ(result.median_ns, 200);
  EXPECT_TRUE(window.MayBegin(1999));
  EXPECT_FALSE(window.MayBegin(2000));
}

TEST(LoadTallyTest, NothingCountedIsNoResult) {
  std::vector<std::unique_ptr<LoadTally>> tallies;
  tallies.push_back(std::make_unique<LoadTally>(LoadWindow{.start_ns = 10, .end_ns = 20}));
  EXPECT_EQ(Sum(tallies).rpcs, 0);
}

}  // namespace
}  // namespace distbench
