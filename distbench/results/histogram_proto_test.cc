#include "distbench/results/histogram_proto.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/statistics.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

Histogram MessageOf(const std::vector<int64_t>& values) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  for (const int64_t value : values) histogram.Record(value);
  Histogram message;
  WriteHistogram(histogram, message);
  return message;
}

TEST(HistogramProtoTest, WhatIsWrittenIsReadBack) {
  for (const std::vector<int64_t>& values :
       {std::vector<int64_t>{},
        {0},
        {-3, -1},
        {511, 512, 513, 1'000'000, 1'000'000},
        {std::numeric_limits<int64_t>::max(), 1, std::numeric_limits<int64_t>::max()}}) {
    const Histogram message = MessageOf(values);
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    ASSERT_TRUE(MergeHistogram(message, histogram).ok()) << message.DebugString();
    Histogram again;
    WriteHistogram(histogram, again);
    EXPECT_EQ(again.SerializeAsString(), message.SerializeAsString());
  }
}

TEST(HistogramProtoTest, ACoarserLayoutKeepsItsTotalsAndItsPrecision) {
  // Buckets of 6 bits: 1000 lies in [992, 1008), 100000 in [99328, 100352).
  const HistogramLayout coarse(6);
  Histogram message;
  message.set_sub_bucket_bits(6);
  message.set_count(5);
  message.set_min(1000);
  message.set_max(100'000);
  message.set_sum_low(2 * 1000 + 3 * 100'000);
  message.add_bucket_index_deltas(coarse.Index(1000));
  message.add_bucket_index_deltas(coarse.Index(100'000) - coarse.Index(1000));
  message.add_bucket_counts(2);
  message.add_bucket_counts(3);

  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  ASSERT_TRUE(MergeHistogram(message, histogram).ok());
  EXPECT_EQ(histogram.totals().sum, absl::uint128(302'000));
  EXPECT_EQ(histogram.totals().min, 1000);
  EXPECT_NEAR(static_cast<double>(histogram.Quantile(300'000)), 1000, 16);
  EXPECT_NEAR(static_cast<double>(histogram.Quantile(500'000)), 100'000, 1600);
}

struct Mangling {
  std::string expected;  // part of the error
  std::function<void(Histogram&)> mangle;
};

TEST(HistogramProtoTest, AMessageThatContradictsItselfIsRefusedAsAWhole) {
  const std::vector<Mangling> manglings = {
      {"sub_bucket_bits is -1", [](Histogram& m) { m.set_sub_bucket_bits(-1); }},
      {"sub_bucket_bits is 17", [](Histogram& m) { m.set_sub_bucket_bits(17); }},
      {"count is -1", [](Histogram& m) { m.set_count(-1); }},
      {"count is 9223372036854775807",
       [](Histogram& m) { m.set_count(std::numeric_limits<int64_t>::max()); }},
      {"but count is 4", [](Histogram& m) { m.set_count(4); }},
      {"add up to count, 2", [](Histogram& m) { m.set_count(2); }},
      {"3 bucket_counts", [](Histogram& m) { m.add_bucket_counts(1); }},
      {"bucket_counts[0] is 0", [](Histogram& m) { m.set_bucket_counts(0, 0); }},
      {"bucket_counts[1] is 18446744073709551615",
       [](Histogram& m) { m.set_bucket_counts(1, std::numeric_limits<uint64_t>::max()); }},
      {"bucket_index_deltas[1] is 0", [](Histogram& m) { m.set_bucket_index_deltas(1, 0); }},
      {"bucket_index_deltas[1] is 4294967295",
       [](Histogram& m) { m.set_bucket_index_deltas(1, std::numeric_limits<uint32_t>::max()); }},
      {"min is 0", [](Histogram& m) { m.clear_min(); }},
      {"max is 4", [](Histogram& m) { m.set_max(4); }},
      {"sum_high", [](Histogram& m) { m.set_sum_high(1); }},
      {"sum_low", [](Histogram& m) { m.clear_sum_low(); }},
  };
  for (const Mangling& mangling : manglings) {
    Histogram message = MessageOf({5, 5, 1000});
    mangling.mangle(message);
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    const absl::Status status = MergeHistogram(message, histogram);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(mangling.expected));
    EXPECT_EQ(histogram.totals().count, 0u) << mangling.expected;
    histogram.ForEachBucket([](uint32_t, uint64_t) { ADD_FAILURE() << "a value was counted"; });
  }
}

TEST(HistogramProtoTest, NoMessageCrashesTheReader) {
  std::mt19937_64 random(20);
  const std::string sound = MessageOf({5, 5, 1000, 1 << 20}).SerializeAsString();
  for (int i = 0; i < 50'000; ++i) {
    std::string bytes = sound;
    for (size_t flips = 1 + random() % 4; flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    Histogram message;
    if (!message.ParseFromString(bytes)) continue;
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    if (!MergeHistogram(message, histogram).ok()) continue;
    EXPECT_GE(histogram.Quantile(500'000), histogram.totals().min);
    EXPECT_LE(histogram.Quantile(500'000), histogram.totals().max);
  }
}

}  // namespace
}  // namespace distbench
