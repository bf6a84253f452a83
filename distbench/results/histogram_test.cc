#include "distbench/results/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

std::vector<int64_t> LatencyLikeValues(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> distribution(std::log(200'000), 1.5);
  std::vector<int64_t> values(count);
  for (int64_t& value : values) value = static_cast<int64_t>(distribution(random));
  return values;
}

void RecordAll(const std::vector<int64_t>& values, LogLinearHistogram& histogram) {
  for (const int64_t value : values) histogram.Record(value);
}

TEST(LogLinearHistogramTest, TotalsAreExact) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  RecordAll({7, 123'456'789, 1'000'003}, histogram);
  EXPECT_EQ(histogram.totals().count, 3u);
  EXPECT_EQ(histogram.totals().min, 7);
  EXPECT_EQ(histogram.totals().max, 123'456'789);
  EXPECT_EQ(histogram.totals().sum, absl::uint128(124'456'799));
}

TEST(LogLinearHistogramTest, SumsBeyond64BitsAreExact) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 5; ++i) histogram.Record(kHuge);
  EXPECT_EQ(histogram.totals().sum, absl::uint128(kHuge) * 5);
  EXPECT_EQ(histogram.Quantile(500'000), kHuge);
}

TEST(LogLinearHistogramTest, QuantilesAreWithinAFifthOfAPercent) {
  for (const size_t count : {1, 2, 3, 10, 99, 1000, 12'345}) {
    std::vector<int64_t> values = LatencyLikeValues(count, /*seed=*/count);
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    RecordAll(values, histogram);
    std::sort(values.begin(), values.end());
    for (const uint32_t ppm :
         {0, 1, 10'000, 250'000, 500'000, 900'000, 990'000, 999'000, 1'000'000}) {
      const size_t position = std::min<size_t>(count * ppm / 1'000'000, count - 1);
      const double expected = static_cast<double>(values[position]);
      EXPECT_NEAR(static_cast<double>(histogram.Quantile(ppm)), expected, 0.002 * expected)
          << ppm << " ppm of " << count;
    }
  }
}

TEST(LogLinearHistogramTest, QuantilesOfSmallValuesAreExact) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  for (int64_t value = 999; value >= 0; --value) histogram.Record(value);
  for (uint32_t permille = 0; permille < 1000; ++permille) {
    ASSERT_EQ(histogram.Quantile(permille * 1000), permille);
  }
}

TEST(LogLinearHistogramTest, BothEndsAreExact) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  // The least lies in the lower half of its bucket, the greatest in the upper half.
  RecordAll({999'425, 1'000'000'007, 5'007'000'000}, histogram);
  EXPECT_EQ(histogram.Quantile(0), 999'425);
  EXPECT_EQ(histogram.Quantile(1'000'000), 5'007'000'000);
}

TEST(LogLinearHistogramTest, WithoutValuesQuantilesAreZero) {
  HistogramPageSlab slab;
  const LogLinearHistogram histogram(slab);
  EXPECT_EQ(histogram.Quantile(500'000), 0);
}

TEST(LogLinearHistogramTest, NegativeValuesCountAsZeroButShowInMin) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  RecordAll({-5, 10, 20}, histogram);
  EXPECT_EQ(histogram.totals().min, -5);
  EXPECT_EQ(histogram.totals().sum, absl::uint128(30));
  EXPECT_EQ(histogram.Quantile(500'000), 10);
}

TEST(LogLinearHistogramTest, MergingIsAsIfRecordedInOne) {
  HistogramPageSlab slab;
  LogLinearHistogram one(slab), left(slab), right(slab), merged(slab);
  const std::vector<int64_t> some = LatencyLikeValues(5000, /*seed=*/1);
  const std::vector<int64_t> others = LatencyLikeValues(3000, /*seed=*/2);
  RecordAll(some, one);
  RecordAll(others, one);
  RecordAll(some, left);
  RecordAll(others, right);
  merged.Merge(right);
  merged.Merge(left);

  const auto buckets = [](const LogLinearHistogram& histogram) {
    std::vector<std::pair<uint32_t, uint64_t>> result;
    histogram.ForEachBucket(
        [&](uint32_t index, uint64_t count) { result.emplace_back(index, count); });
    return result;
  };
  EXPECT_EQ(buckets(merged), buckets(one));
  EXPECT_EQ(merged.totals().count, one.totals().count);
  EXPECT_EQ(merged.totals().min, one.totals().min);
  EXPECT_EQ(merged.totals().max, one.totals().max);
  EXPECT_EQ(merged.totals().sum, one.totals().sum);
}

TEST(HistogramPageSlabTest, PagesAreZeroAndApart) {
  HistogramPageSlab slab;
  std::vector<HistogramPageSlab::Page*> pages;
  for (uint64_t i = 1; i <= 300; ++i) {
    HistogramPageSlab::Page* page = slab.Take();
    for (const uint64_t count : *page) ASSERT_EQ(count, 0u);
    page->fill(i);
    pages.push_back(page);
  }
  for (uint64_t i = 1; i <= 300; ++i) {
    ASSERT_EQ(pages[i - 1]->front(), i);
    ASSERT_EQ(pages[i - 1]->back(), i);
  }
}

}  // namespace
}  // namespace distbench
