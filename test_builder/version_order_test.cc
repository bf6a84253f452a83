#include "test_builder/version_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAreArray;

TEST(ComesBeforeTest, NumbersCountByTheirValue) {
  const std::vector<std::string> in_order = {"",      "a",    "a2",      "a02b",   "a10",
                                             "a10_1", "a10b", "a10b9x1", "a10b10", "b1"};
  std::vector<std::string> sorted = in_order;
  std::reverse(sorted.begin(), sorted.end());
  std::sort(sorted.begin(), sorted.end(), ComesBefore);
  EXPECT_THAT(sorted, ElementsAreArray(in_order));
}

TEST(ComesBeforeTest, EqualNumbersOfDifferentWritingAreInSomeOrder) {
  EXPECT_NE(ComesBefore("a01", "a1"), ComesBefore("a1", "a01"));
  EXPECT_FALSE(ComesBefore("a1", "a1"));
}

}  // namespace
}  // namespace distbench
