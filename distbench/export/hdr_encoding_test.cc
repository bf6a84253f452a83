#include "distbench/export/hdr_encoding.h"

#include <zlib.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "absl/strings/escaping.h"
#include "distbench/export/hdr_log.h"
#include "distbench/results/histogram.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

std::string ZigZag(int64_t value) {
  std::string bytes;
  AppendZigZagLeb128(value, &bytes);
  return absl::BytesToHexString(bytes);
}

uint64_t BigEndian(const std::string& bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  for (size_t i = offset; i < offset + size; ++i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return value;
}

// Least value of a bucket of HdrHistogram with three digits, by the rule that its documents give:
// 2048 buckets for the values below 2048, then 1024 for each doubling.
int64_t HdrLowerBound(int64_t index) {
  if (index < 2048) return index;
  const int64_t doublings = index / 1024 - 1;
  return (1024 + index % 1024) << doublings;
}

// Counts by least value of their bucket.
std::map<int64_t, int64_t> Decode(const std::string& encoded) {
  std::map<int64_t, int64_t> counts;
  int64_t index = 0;
  for (size_t i = 40; i < encoded.size();) {
    uint64_t zigzag = 0;
    int shift = 0;
    uint8_t byte = 0;
    do {
      byte = static_cast<uint8_t>(encoded[i++]);
      zigzag |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while ((byte & 0x80) != 0);
    const int64_t count = static_cast<int64_t>(zigzag >> 1) ^ -static_cast<int64_t>(zigzag & 1);
    if (count > 0) counts[HdrLowerBound(index)] = count;
    index += count < 0 ? -count : 1;
  }
  return counts;
}

TEST(HdrEncodingTest, IntegersAreZigZagLeb128) {
  EXPECT_EQ(ZigZag(0), "00");
  EXPECT_EQ(ZigZag(-1), "01");
  EXPECT_EQ(ZigZag(1), "02");
  EXPECT_EQ(ZigZag(63), "7e");
  EXPECT_EQ(ZigZag(64), "8001");
  EXPECT_EQ(ZigZag(-300), "d704");
  EXPECT_EQ(ZigZag(std::numeric_limits<int64_t>::max()), "feffffffffffffffff");
  EXPECT_EQ(ZigZag(std::numeric_limits<int64_t>::min()), "ffffffffffffffffff");
}

TEST(HdrEncodingTest, HeaderSaysWhatFollows) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  histogram.Record(3);
  histogram.Record(3);
  histogram.Record(5);
  // Three zeros, two, one zero, one.
  EXPECT_EQ(absl::BytesToHexString(EncodeHdrHistogram(histogram)),
            "1c849313"          // cookie
            "00000004"          // payload bytes
            "00000000"          // index offset
            "00000003"          // digits
            "0000000000000001"  // lowest
            "0000000000000005"  // highest
            "3ff0000000000000"  // 1.0
            "05040002");
}

TEST(HdrEncodingTest, EmptyHistogramIsAHeaderThatReadersAccept) {
  HistogramPageSlab slab;
  const std::string encoded = EncodeHdrHistogram(LogLinearHistogram(slab));
  EXPECT_EQ(encoded.size(), 40u);
  EXPECT_EQ(BigEndian(encoded, 4, 4), 0u);
  EXPECT_EQ(BigEndian(encoded, 24, 8), 2u);
}

TEST(HdrEncodingTest, EveryValueIsInABucketNearIt) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  int64_t recorded = 0;
  for (int64_t value = 1; value < std::numeric_limits<int64_t>::max() / 3; value *= 3) {
    histogram.Record(value);
    ++recorded;
  }
  int64_t value = 1;
  for (const auto& [lower_bound, count] : Decode(EncodeHdrHistogram(histogram))) {
    EXPECT_EQ(count, 1);
    EXPECT_NEAR(static_cast<double>(lower_bound), static_cast<double>(value),
                static_cast<double>(value) / 512);
    value *= 3;
    --recorded;
  }
  EXPECT_EQ(recorded, 0);
}

TEST(HdrEncodingTest, NegativeValuesCountAsZero) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  histogram.Record(-7);
  const std::string encoded = EncodeHdrHistogram(histogram);
  EXPECT_EQ(Decode(encoded), (std::map<int64_t, int64_t>{{0, 1}}));
  EXPECT_EQ(BigEndian(encoded, 24, 8), 2u);
}

TEST(HdrEncodingTest, CompressedFormHoldsTheEncoding) {
  const std::string encoded(1000, 'x');
  const std::string compressed = CompressHdrHistogram(encoded);
  EXPECT_EQ(BigEndian(compressed, 0, 4), 0x1c849314u);
  ASSERT_EQ(BigEndian(compressed, 4, 4), compressed.size() - 8);
  std::string inflated(encoded.size() + 1, '\0');
  uLongf size = inflated.size();
  ASSERT_EQ(
      uncompress(reinterpret_cast<Bytef*>(inflated.data()), &size,
                 reinterpret_cast<const Bytef*>(compressed.data() + 8), compressed.size() - 8),
      Z_OK);
  inflated.resize(size);
  EXPECT_EQ(inflated, encoded);
}

TEST(HdrTagTest, CharactersThatSeparateFieldsAreReplaced) {
  EXPECT_EQ(HdrTag("shop/query"), "shop/query");
  EXPECT_EQ(HdrTag("a, b\r\nc\xff"), "a__b__c_");
}

}  // namespace
}  // namespace distbench
