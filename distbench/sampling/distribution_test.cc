#include "distbench/sampling/distribution.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "distbench/sampling/counter_random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::DoubleEq;

constexpr int kDraws = 1'000'000;

Distribution::Box Exactly(double weight, int64_t value) {
  return {.weight = weight, .ranges = {{{.lower = value, .upper = value}}}};
}

Distribution::Box Between(double weight, int64_t lower, int64_t upper) {
  return {.weight = weight, .ranges = {{{.lower = lower, .upper = upper}}}};
}

// Pearson's statistic of draws that were counted by value, against what was expected of each.
double ChiSquare(const std::map<int64_t, int64_t>& counts,
                 const std::map<int64_t, double>& probabilities) {
  double sum = 0;
  for (const auto& [value, probability] : probabilities) {
    const double expected = probability * kDraws;
    const auto found = counts.find(value);
    const double count = found == counts.end() ? 0 : static_cast<double>(found->second);
    sum += (count - expected) * (count - expected) / expected;
  }
  return sum;
}

// A bound that chi-square with so many degrees of freedom exceeds once in 10^6 (Wilson and
// Hilferty's approximation, 4.75 standard deviations).
double ChiSquareBound(double degrees) {
  const double spread = 2 / (9 * degrees);
  return degrees * std::pow(1 - spread + 4.75 * std::sqrt(spread), 3);
}

std::map<int64_t, int64_t> CountDraws(const Distribution& distribution, uint64_t seed) {
  CounterRandom random({seed});
  std::map<int64_t, int64_t> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[distribution.Draw(random)[0]];
  return counts;
}

TEST(DistributionTest, ExactValuesComeByTheirWeights) {
  std::vector<Distribution::Box> boxes;
  std::map<int64_t, double> probabilities;
  double sum = 0;
  for (int64_t i = 1; i <= 50; ++i) sum += static_cast<double>(i * i);
  for (int64_t i = 1; i <= 50; ++i) {
    boxes.push_back(Exactly(static_cast<double>(i * i), -7 * i));
    probabilities[-7 * i] = static_cast<double>(i * i) / sum;
  }
  const auto counts = CountDraws(Distribution(1, boxes), 1);
  EXPECT_EQ(counts.size(), 50u);
  EXPECT_LT(ChiSquare(counts, probabilities), ChiSquareBound(49));
}

TEST(DistributionTest, WeightsNextToNothingCountAsMuchAsAnyOthers) {
  const Distribution distribution(
      1, {{.weight = 1e-310, .ranges = {{{1, 1}}}}, {.weight = 3e-310, .ranges = {{{2, 2}}}}});
  CounterRandom random({7});
  int heavy = 0;
  for (int i = 0; i < 10'000; ++i) heavy += distribution.Draw(random)[0] == 2 ? 1 : 0;
  EXPECT_NEAR(heavy, 7500, 200);
}

TEST(DistributionTest, ARangeIsUniformUpToBothEnds) {
  std::map<int64_t, double> probabilities = {{100, 0.25}};
  for (int64_t value = -3; value <= 12; ++value) probabilities[value] = 0.75 / 16;
  const auto counts = CountDraws(Distribution(1, {Between(3, -3, 12), Exactly(1, 100)}), 2);
  EXPECT_EQ(counts.size(), 17u);
  EXPECT_LT(ChiSquare(counts, probabilities), ChiSquareBound(16));
}

TEST(DistributionTest, DimensionsOfABoxAreDrawnTogetherAndIndependentlyWithinIt) {
  const Distribution::Box low = {.weight = 0.5, .ranges = {{{0, 1}, {10, 11}}}};
  const Distribution::Box high = {.weight = 0.5, .ranges = {{{2, 3}, {20, 21}}}};
  const Distribution distribution(2, {low, high});
  CounterRandom random({3});
  std::map<int64_t, int64_t> counts;  // of 100 * first + second
  for (int i = 0; i < kDraws; ++i) {
    const Distribution::Value value = distribution.Draw(random);
    ++counts[100 * value[0] + value[1]];
  }
  std::map<int64_t, double> probabilities;
  for (const int64_t pair : {10, 11, 110, 111, 220, 221, 320, 321}) probabilities[pair] = 0.125;
  EXPECT_EQ(counts.size(), 8u);
  EXPECT_LT(ChiSquare(counts, probabilities), ChiSquareBound(7));
}

TEST(DistributionTest, BoxesWithoutWeightNeverCome) {
  const Distribution distribution(1, {Exactly(0, 1), Exactly(1, 2), Exactly(0, 3)});
  CounterRandom random({4});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(distribution.Draw(random)[0], 2);
  EXPECT_EQ(distribution.Max(0), 2);
  EXPECT_EQ(distribution.Min(0), 2);
}

TEST(DistributionTest, TheWidestRangeHasNoOverflow) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Distribution distribution(1, {Between(1, least, most)});
  CounterRandom random({5});
  int negative = 0;
  for (int i = 0; i < 10'000; ++i) negative += distribution.Draw(random)[0] < 0 ? 1 : 0;
  EXPECT_NEAR(negative, 5000, 250);  // five standard deviations
}

TEST(DistributionTest, MeanAndBoundsAreThoseOfTheBoxes) {
  const Distribution distribution(1, {Between(3, 0, 10), Exactly(1, 100)});
  EXPECT_THAT(distribution.Mean(0), DoubleEq((3 * 5 + 100) / 4.0));
  EXPECT_EQ(distribution.Min(0), 0);
  EXPECT_EQ(distribution.Max(0), 100);
}

TEST(DistributionTest, TheSameStreamDrawsTheSameValues) {
  const Distribution distribution(1, {Between(1, 0, 1'000'000), Between(2, 5, 50)});
  CounterRandom one({6}), other({6});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(distribution.Draw(one), distribution.Draw(other));
}

}  // namespace
}  // namespace distbench
