#include "distbench/results/sample_statistics.h"

#include <cstdint>
#include <limits>

#include "distbench/results/rpc_statistics.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

struct SampleFields {
  int64_t start_ns = 0;
  int64_t latency_ns = 0;
  int64_t bytes = 0;
  bool warmup = false;
  int32_t error = 0;
};

void Fill(const SampleFields& fields, RpcSample& sample) {
  sample.set_start_timestamp_ns(fields.start_ns);
  sample.set_latency_ns(fields.latency_ns);
  sample.set_request_size(fields.bytes);
  sample.set_response_size(2 * fields.bytes);
  sample.set_warmup(fields.warmup);
  if (fields.error != 0) sample.set_error_index(fields.error);
}

TEST(StatisticsFromSamplesTest, EachSampleIsCountedUnderItsOutcome) {
  RpcPerformanceLog log;
  Fill({.start_ns = 20, .latency_ns = 5, .bytes = 100}, *log.add_successful_rpc_samples());
  Fill({.start_ns = 10, .latency_ns = 9, .bytes = 300}, *log.add_successful_rpc_samples());
  Fill({.start_ns = 1, .latency_ns = 50, .warmup = true}, *log.add_successful_rpc_samples());
  Fill({.start_ns = 30, .latency_ns = 1, .error = 2}, *log.add_failed_rpc_samples());
  Fill({.start_ns = 2, .warmup = true, .error = 2}, *log.add_failed_rpc_samples());

  const RpcStatistics statistics = StatisticsFromSamples(log);
  const OutcomeStatistics& success = statistics.measured_success();
  EXPECT_EQ(success.count(), 2);
  EXPECT_EQ(success.request_bytes(), 400);
  EXPECT_EQ(success.response_bytes(), 800);
  EXPECT_EQ(success.first_start_timestamp_ns(), 10);
  EXPECT_EQ(success.last_start_timestamp_ns(), 20);
  EXPECT_EQ(success.last_end_timestamp_ns(), 25);
  EXPECT_EQ(success.service_time_ns().count(), 2);
  EXPECT_EQ(success.service_time_ns().min(), 5);
  EXPECT_EQ(success.service_time_ns().max(), 9);
  EXPECT_EQ(statistics.measured_failure().count(), 1);
  EXPECT_EQ(statistics.warmup_success().count(), 1);
  EXPECT_EQ(statistics.warmup_failure().count(), 1);
  ASSERT_EQ(statistics.errors_size(), 1);
  EXPECT_EQ(statistics.errors(0).ShortDebugString(), "error_index: 2 count: 2");
}

TEST(StatisticsFromSamplesTest, NoSamplesGiveNoStatistics) {
  EXPECT_EQ(StatisticsFromSamples(RpcPerformanceLog()).ByteSizeLong(), 0u);
}

TEST(StatisticsFromSamplesTest, NonsenseGivesStatisticsThatAreSound) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
  RpcPerformanceLog log;
  for (const int64_t start_ns : {kLeast, int64_t{-1}, kGreatest}) {
    for (const int64_t latency_ns : {kLeast, int64_t{-1}, kGreatest}) {
      for (const int64_t bytes : {kLeast, kGreatest / 2}) {
        for (const int32_t error : {-7, 1 << 30}) {
          const SampleFields fields = {
              .start_ns = start_ns, .latency_ns = latency_ns, .bytes = bytes / 2, .error = error};
          Fill(fields, *log.add_successful_rpc_samples());
          Fill(fields, *log.add_failed_rpc_samples());
        }
      }
    }
  }
  const RpcStatistics statistics = StatisticsFromSamples(log);
  RpcTotals totals;
  EXPECT_TRUE(ReadTotals(statistics, totals).ok()) << ReadTotals(statistics, totals);
  EXPECT_TRUE(CheckHistograms(statistics).ok()) << CheckHistograms(statistics);
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].count, 36);
  EXPECT_EQ(statistics.measured_success().service_time_ns().min(), kLeast);
}

}  // namespace
}  // namespace distbench
