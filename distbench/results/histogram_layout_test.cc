#include "distbench/results/histogram_layout.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class HistogramLayoutTest : public testing::TestWithParam<int> {
 protected:
  const HistogramLayout layout_{GetParam()};
};

TEST_P(HistogramLayoutTest, BucketsFollowEachOtherWithoutGap) {
  int64_t next = 0;
  for (uint32_t i = 0; i + 1 < layout_.bucket_count(); ++i) {
    ASSERT_EQ(layout_.LowerBound(i), next) << i;
    next += layout_.Width(i);
  }
  const uint32_t last = layout_.bucket_count() - 1;
  EXPECT_EQ(layout_.LowerBound(last) + (layout_.Width(last) - 1),
            std::numeric_limits<int64_t>::max());
}

TEST_P(HistogramLayoutTest, BothEndsOfABucketHaveItsIndex) {
  for (uint32_t i = 0; i < layout_.bucket_count(); ++i) {
    const uint64_t lower = static_cast<uint64_t>(layout_.LowerBound(i));
    ASSERT_EQ(layout_.Index(lower), i);
    ASSERT_EQ(layout_.Index(lower + static_cast<uint64_t>(layout_.Width(i) - 1)), i);
  }
}

TEST_P(HistogramLayoutTest, ABucketIsNarrowForItsValues) {
  for (uint32_t i = 0; i < layout_.bucket_count(); ++i) {
    ASSERT_LE(layout_.Width(i), std::max<int64_t>(1, layout_.LowerBound(i) >> GetParam())) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, HistogramLayoutTest, testing::Values(0, 1, 6, 9, 16));

}  // namespace
}  // namespace distbench
