#include "distbench/results/natural_order.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(NaturalOrderTest, NumbersInNamesCompareAsNumbers) {
  const std::vector<std::string> sorted = {"",
                                           "007",
                                           "7",
                                           "a",
                                           "grid/2/1",
                                           "grid/2/10",
                                           "grid/10/0",
                                           "node",
                                           "node2",
                                           "node09",
                                           "node9",
                                           "node10",
                                           "node99999999999999999999998",
                                           "node99999999999999999999999",
                                           "node_x"};
  std::vector<std::string> shuffled = sorted;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(3));
  std::sort(shuffled.begin(), shuffled.end(),
            [](const std::string& a, const std::string& b) { return NaturalLess(a, b); });
  EXPECT_EQ(shuffled, sorted);
}

TEST(NaturalOrderTest, ANameIsNotLessThanItself) {
  EXPECT_FALSE(NaturalLess("client/1", "client/1"));
}

}  // namespace
}  // namespace distbench
