#include "distbench/results/sample_log.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

PackedSample Sample(int64_t start_ns) {
  PackedSample sample = {};
  sample.start_ns = start_ns;
  return sample;
}

TEST(SampleLogTest, KeepsSamplesInOrderOverManyChunks) {
  SampleLog log(100'000);
  for (int64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(log.Append(Sample(i)));
  int64_t next = 0;
  log.ForEach([&](const PackedSample& sample) { EXPECT_EQ(sample.start_ns, next++); });
  EXPECT_EQ(next, 20'000);
}

TEST(SampleLogTest, LeavesOutWhatIsBeyondTheLimit) {
  SampleLog log(2);
  EXPECT_TRUE(log.Append(Sample(1)));
  EXPECT_TRUE(log.Append(Sample(2)));
  EXPECT_FALSE(log.Append(Sample(3)));
  EXPECT_EQ(log.size(), 2u);
}

TEST(PackedSampleTest, SizesUpToATebibyteAreExact) {
  for (const int64_t bytes :
       std::vector<int64_t>{0, 1, (int64_t{1} << 32) + 5, (int64_t{1} << 40) - 1}) {
    const PackedSample::Size size = PackedSample::PackSize(bytes);
    PackedSample sample = {};
    sample.request_low = size.low;
    sample.request_high = size.high;
    EXPECT_EQ(sample.request_bytes(), bytes);
  }
}

TEST(PackedSampleTest, SizesOutOfRangeShowAsTheNearestInRange) {
  EXPECT_EQ(PackedSample::PackSize(int64_t{1} << 50).high, 0xFF);
  EXPECT_EQ(PackedSample::PackSize(-1).low, 0u);
}

}  // namespace
}  // namespace distbench
