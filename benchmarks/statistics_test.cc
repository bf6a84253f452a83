#include "benchmarks/statistics.h"

#include <algorithm>
#include <random>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(FairCoinAtMostTest, MatchesPascalsTriangle) {
  EXPECT_DOUBLE_EQ(FairCoinAtMost(4, 0), 1.0 / 16);
  EXPECT_DOUBLE_EQ(FairCoinAtMost(4, 1), 5.0 / 16);
  EXPECT_DOUBLE_EQ(FairCoinAtMost(4, 2), 11.0 / 16);
  EXPECT_DOUBLE_EQ(FairCoinAtMost(4, 4), 1);
  EXPECT_DOUBLE_EQ(FairCoinAtMost(4, 9), 1);
  EXPECT_NEAR(FairCoinAtMost(1000, 499) + FairCoinAtMost(1000, 500), 1, 1e-9);
}

TEST(MedianTest, OfAnEvenNumberIsTheMiddleOfTheTwo) {
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({9, 1, 3}), 3);
  EXPECT_EQ(Median({9, 1, 3, 4}), 3.5);
}

std::vector<double> OneTo(size_t n) {
  std::vector<double> values(n);
  for (size_t i = 0; i < n; ++i) values[n - 1 - i] = static_cast<double>(i + 1);
  return values;
}

TEST(EstimateMedianTest, TakesTheOrderStatisticsOfTheTables) {
  // Conover, table of exact confidence intervals for the median.
  const MedianEstimate of_15 = EstimateMedian(OneTo(15));
  EXPECT_EQ(of_15.median, 8);
  EXPECT_EQ(of_15.lower, 4);
  EXPECT_EQ(of_15.upper, 12);
  EXPECT_NEAR(of_15.coverage, 0.9648, 1e-4);
  // Without the outermost two it would be 93 %.
  const MedianEstimate of_8 = EstimateMedian(OneTo(8));
  EXPECT_EQ(of_8.lower, 1);
  EXPECT_EQ(of_8.upper, 8);
  const MedianEstimate of_6 = EstimateMedian(OneTo(6));
  EXPECT_EQ(of_6.lower, 1);
  EXPECT_EQ(of_6.upper, 6);
  EXPECT_NEAR(of_6.coverage, 0.96875, 1e-9);
  const MedianEstimate of_20 = EstimateMedian(OneTo(20));
  EXPECT_EQ(of_20.lower, 6);
  EXPECT_EQ(of_20.upper, 15);
  EXPECT_NEAR(of_20.coverage, 0.9586, 1e-4);
}

TEST(EstimateMedianTest, FewValuesSpanThemselvesAndSayHowLittleThatIsWorth) {
  const MedianEstimate of_3 = EstimateMedian({5, 1, 2});
  EXPECT_EQ(of_3.lower, 1);
  EXPECT_EQ(of_3.upper, 5);
  EXPECT_DOUBLE_EQ(of_3.coverage, 0.75);
  const MedianEstimate of_1 = EstimateMedian({5});
  EXPECT_EQ(of_1.lower, 5);
  EXPECT_EQ(of_1.upper, 5);
  EXPECT_EQ(of_1.coverage, 0);
}

TEST(EstimateMedianTest, TheIntervalHoldsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> skewed(1);
  const double true_median = std::log(2.0);
  constexpr int kTrials = 20'000;
  int held = 0;
  double coverage = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(17);
    for (double& value : values) value = skewed(random);
    const MedianEstimate estimate = EstimateMedian(values);
    held += estimate.lower <= true_median && true_median <= estimate.upper;
    coverage = estimate.coverage;
  }
  EXPECT_GE(coverage, kConfidence);
  EXPECT_NEAR(static_cast<double>(held) / kTrials, coverage, 0.005);
}

TEST(AbbaOrderTest, EachPairHasBothSidesAndALinearDriftCancels) {
  const std::vector<Side> order = AbbaOrder(4);
  ASSERT_EQ(order.size(), 8u);
  size_t floor_positions = 0;
  size_t our_positions = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    (order[i] == Side::kFloor ? floor_positions : our_positions) += i;
    if (i % 2 == 0) {
      EXPECT_NE(order[i], order[i + 1]) << i;
    }
  }
  EXPECT_EQ(floor_positions, our_positions);
}

TEST(GrowthExponentTest, TellsLinearFromQuadratic) {
  EXPECT_NEAR(GrowthExponent(10, 3, 1000, 300), 1, 1e-12);
  EXPECT_NEAR(GrowthExponent(10, 3, 100, 300), 2, 1e-12);
}

}  // namespace
}  // namespace distbench
