#include "distbench/results/histogram_moments.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class HistogramMomentsTest : public testing::Test {
 protected:
  HistogramPageSlab slab_;
  LogLinearHistogram histogram_{slab_};
};

TEST_F(HistogramMomentsTest, NothingHasNoMoments) {
  EXPECT_EQ(Mean(histogram_), 0);
  EXPECT_EQ(StandardDeviation(histogram_), 0);
}

TEST_F(HistogramMomentsTest, SmallValuesAreExact) {
  for (const int64_t value : {2, 4, 4, 4, 5, 5, 7, 9}) histogram_.Record(value);
  EXPECT_EQ(Mean(histogram_), 5);
  EXPECT_EQ(StandardDeviation(histogram_), 2);
}

TEST_F(HistogramMomentsTest, MeanIsThatOfTheValuesNotOfTheBuckets) {
  for (int i = 0; i < 10; ++i) histogram_.Record(1'000'003);
  EXPECT_EQ(Mean(histogram_), 1'000'003);
}

TEST_F(HistogramMomentsTest, ValuesThatAreAlikeDoNotSpread) {
  for (int i = 0; i < 10; ++i) histogram_.Record(1'000'003);
  EXPECT_NEAR(StandardDeviation(histogram_), 0, 1e-6);
}

TEST_F(HistogramMomentsTest, SpreadOfLargeValuesIsWithinThePrecisionOfTheBuckets) {
  // Uniform over [0, 10^9): the deviation is the width over the square root of 12.
  for (int64_t value = 0; value < 1'000'000'000; value += 10'007) histogram_.Record(value);
  const double expected = 1e9 / std::sqrt(12.0);
  EXPECT_NEAR(StandardDeviation(histogram_), expected, 0.001 * expected);
  EXPECT_NEAR(Mean(histogram_), 0.5e9, 0.0001e9);
}

}  // namespace
}  // namespace distbench
