#include "distbench/results/peer_histogram.h"

#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

using Buckets = std::map<uint32_t, uint64_t>;

Buckets BucketsOf(const PeerHistogram& histogram) {
  Buckets buckets;
  histogram.ForEachBucket([&](uint32_t index, uint64_t count) { buckets[index] = count; });
  return buckets;
}

Buckets ExpectedBuckets(const std::vector<int64_t>& values, const HistogramLayout& layout) {
  Buckets buckets;
  for (const int64_t value : values) ++buckets[layout.Index(static_cast<uint64_t>(value))];
  return buckets;
}

// Spread evenly over all magnitudes.
std::vector<int64_t> Values(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int64_t> values(count);
  for (int64_t& value : values) value = static_cast<int64_t>(random() >> (1 + random() % 63));
  return values;
}

void RecordAll(const std::vector<int64_t>& values, PeerHistogram& histogram) {
  for (const int64_t value : values) histogram.Record(value);
}

TEST(PeerHistogramTest, EveryValueCountsInItsFineBucket) {
  const std::vector<int64_t> values = Values(10'000, /*seed=*/1);
  PeerHistogramPool pool(100);
  PeerHistogram histogram(pool);
  RecordAll(values, histogram);
  EXPECT_EQ(histogram.layout().sub_bucket_bits(), 6);
  EXPECT_EQ(BucketsOf(histogram), ExpectedBuckets(values, PeerHistogram::kFineLayout));
}

TEST(PeerHistogramTest, ANegativeValueCountsAsZeroButIsTheLeast) {
  PeerHistogramPool pool(1);
  PeerHistogram histogram(pool);
  histogram.Record(-5);
  EXPECT_EQ(BucketsOf(histogram), (Buckets{{0, 1}}));
  EXPECT_EQ(histogram.totals().min, -5);
  EXPECT_EQ(histogram.totals().sum, absl::uint128(0));
}

TEST(PeerHistogramTest, WithoutPagesOnlyThePrecisionIsLost) {
  const std::vector<int64_t> values = Values(10'000, /*seed=*/2);
  PeerHistogramPool roomy(100);
  PeerHistogram fine(roomy);
  RecordAll(values, fine);
  for (const size_t pages : {0, 1, 7, 30}) {
    PeerHistogramPool pool(pages);
    PeerHistogram histogram(pool);
    RecordAll(values, histogram);
    EXPECT_EQ(histogram.layout().sub_bucket_bits(), 0);
    EXPECT_EQ(BucketsOf(histogram), ExpectedBuckets(values, PeerHistogram::kCoarseLayout));
    EXPECT_EQ(histogram.totals().sum, fine.totals().sum);
    EXPECT_EQ(histogram.totals().count, fine.totals().count);
    EXPECT_EQ(histogram.totals().min, fine.totals().min);
    EXPECT_EQ(histogram.totals().max, fine.totals().max);
  }
}

TEST(PeerHistogramTest, WhoBecomesCoarseLeavesItsPagesToOthers) {
  PeerHistogramPool pool(2);
  PeerHistogram greedy(pool);
  PeerHistogram modest(pool);
  greedy.Record(1 << 10);
  greedy.Record(1 << 11);
  greedy.Record(1 << 12);  // no page left
  modest.Record(1 << 20);
  modest.Record(1 << 21);
  EXPECT_EQ(greedy.layout().sub_bucket_bits(), 0);
  EXPECT_EQ(BucketsOf(greedy), (Buckets{{11, 1}, {12, 1}, {13, 1}}));
  EXPECT_EQ(modest.layout().sub_bucket_bits(), 6);
  EXPECT_EQ(BucketsOf(modest), ExpectedBuckets({1 << 20, 1 << 21}, PeerHistogram::kFineLayout));
}

TEST(PeerHistogramTest, MergedIsAsIfRecordedTogether) {
  const std::vector<int64_t> first = Values(1000, /*seed=*/3);
  const std::vector<int64_t> second = Values(1000, /*seed=*/4);
  std::vector<int64_t> all = first;
  all.insert(all.end(), second.begin(), second.end());
  for (const auto& [first_pages, second_pages] :
       std::vector<std::pair<size_t, size_t>>{{100, 100}, {100, 0}, {0, 100}, {0, 0}}) {
    PeerHistogramPool first_pool(first_pages);
    PeerHistogramPool second_pool(second_pages);
    PeerHistogram into(first_pool);
    PeerHistogram from(second_pool);
    RecordAll(first, into);
    RecordAll(second, from);
    into.Merge(from);
    const bool fine = first_pages > 0 && second_pages > 0;
    EXPECT_EQ(BucketsOf(into), ExpectedBuckets(all, fine ? PeerHistogram::kFineLayout
                                                         : PeerHistogram::kCoarseLayout));
    EXPECT_EQ(into.totals().count, 2000u);
  }
}

TEST(PeerHistogramTest, RecordedValuesDoNotGrowIt) {
  PeerHistogramPool pool(1);
  PeerHistogram histogram(pool);
  for (int i = 0; i < 1'000'000; ++i) histogram.Record(1000 + i % 20);
  EXPECT_EQ(histogram.layout().sub_bucket_bits(), 6);
  EXPECT_EQ(histogram.totals().count, 1'000'000u);
}

}  // namespace
}  // namespace distbench
