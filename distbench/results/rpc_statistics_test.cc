#include "distbench/results/rpc_statistics.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/statistics.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

// Two successes, three failures for two reasons, one cancelled.
RpcStatistics SoundStatistics() {
  RpcTotals totals;
  HistogramPageSlab slab;
  RpcHistograms histograms;
  const auto add = [&](Outcome outcome, const RpcFigures& rpc) {
    totals.outcomes[outcome].Add(rpc);
    histograms.Get(outcome, slab).service_time.Record(rpc.end_ns - rpc.start_ns);
  };
  add(Outcome::kMeasuredSuccess, {.start_ns = 5, .end_ns = 9, .request_bytes = 1});
  add(Outcome::kMeasuredSuccess, {.start_ns = 6, .end_ns = 8, .response_bytes = 2});
  add(Outcome::kMeasuredFailure, {.start_ns = 7, .end_ns = 7});
  add(Outcome::kWarmupFailure, {.start_ns = 1, .end_ns = 2});
  add(Outcome::kWarmupFailure, {.start_ns = 1, .end_ns = 2});
  totals.error_counts = {{1, 2}, {2, 1}};
  totals.cancelled = 1;
  RpcStatistics statistics;
  WriteTotals(totals, WallAnchor(), statistics);
  WriteHistograms(histograms, statistics);
  return statistics;
}

TEST(RpcStatisticsTest, TotalsAreReadAsWritten) {
  RpcTotals totals;
  ASSERT_TRUE(ReadTotals(SoundStatistics(), totals).ok());
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].count, 2);
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].first_start_ns, 5);
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].last_start_ns, 6);
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].last_end_ns, 9);
  EXPECT_EQ(totals.outcomes[Outcome::kWarmupFailure].count, 2);
  EXPECT_EQ(totals.outcomes[Outcome::kWarmupSuccess].count, 0);
  EXPECT_EQ(totals.cancelled, 1);
  EXPECT_EQ(totals.error_counts.at(1), 2);
  EXPECT_EQ(totals.error_counts.at(2), 1);
}

TEST(RpcStatisticsTest, ALastStartThatIsNotToldStaysUnknown) {
  RpcStatistics silent = SoundStatistics();
  silent.mutable_measured_success()->clear_last_start_timestamp_ns();
  RpcTotals totals;
  ASSERT_TRUE(ReadTotals(silent, totals).ok());
  const OutcomeTotals& successes = totals.outcomes[Outcome::kMeasuredSuccess];
  EXPECT_EQ(successes.last_start_ns, OutcomeTotals::kUnknownStartNs);
  RpcStatistics again;
  WriteTotals(totals, WallAnchor(), again);
  EXPECT_FALSE(again.measured_success().has_last_start_timestamp_ns());
  EXPECT_TRUE(again.warmup_failure().has_last_start_timestamp_ns());
}

TEST(RpcStatisticsTest, TimesAreWrittenAsWallTime) {
  RpcTotals totals;
  totals.outcomes[Outcome::kMeasuredSuccess].Add({.start_ns = 5, .end_ns = 9});
  totals.outcomes[Outcome::kMeasuredSuccess].Add({.start_ns = 7, .end_ns = 8});
  RpcStatistics statistics;
  WriteTotals(totals, {.wall_ns = 1000, .monotonic_ns = 1}, statistics);
  EXPECT_EQ(statistics.measured_success().first_start_timestamp_ns(), 1004);
  EXPECT_EQ(statistics.measured_success().last_start_timestamp_ns(), 1006);
  EXPECT_EQ(statistics.measured_success().last_end_timestamp_ns(), 1008);
}

TEST(RpcStatisticsTest, MergedTotalsSaturateInsteadOfOverflowing) {
  RpcStatistics huge = SoundStatistics();
  huge.mutable_measured_success()->set_request_bytes(std::numeric_limits<int64_t>::max());
  RpcTotals totals;
  ASSERT_TRUE(ReadTotals(huge, totals).ok());
  ASSERT_TRUE(ReadTotals(huge, totals).ok());
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].request_bytes,
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].count, 4);
}

struct Mangling {
  std::string expected;  // part of the error
  std::function<void(RpcStatistics&)> mangle;
};

TEST(RpcStatisticsTest, CountersThatContradictThemselvesAreRefusedAsAWhole) {
  const std::vector<Mangling> manglings = {
      {"measured_success.count is -1",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_count(-1); }},
      {"warmup_success.count is 9223372036854775807",
       [](RpcStatistics& s) {
         s.mutable_warmup_success()->set_count(std::numeric_limits<int64_t>::max());
       }},
      {"measured_success.request_bytes is -9",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_request_bytes(-9); }},
      {"measured_success.response_bytes is -9",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_response_bytes(-9); }},
      {"first_start_timestamp_ns is 10",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_first_start_timestamp_ns(10); }},
      {"measured_success.last_start_timestamp_ns is 4; it must be between the first start, 5, and "
       "the last end, 9",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_last_start_timestamp_ns(4); }},
      {"measured_success.last_start_timestamp_ns is 10",
       [](RpcStatistics& s) { s.mutable_measured_success()->set_last_start_timestamp_ns(10); }},
      {"must be present",
       [](RpcStatistics& s) { s.mutable_warmup_failure()->clear_last_end_timestamp_ns(); }},
      {"cancelled is -1", [](RpcStatistics& s) { s.set_cancelled(-1); }},
      {"abandoned is -1", [](RpcStatistics& s) { s.set_abandoned(-1); }},
      {"samples_left_out is -1", [](RpcStatistics& s) { s.set_samples_left_out(-1); }},
      {"errors add up to 1",
       [](RpcStatistics& s) {
         s.mutable_errors()->RemoveLast();
         s.mutable_errors(0)->set_count(1);
       }},
      {"errors.count is 5", [](RpcStatistics& s) { s.mutable_errors(0)->set_count(5); }},
      {"errors.count is -2", [](RpcStatistics& s) { s.mutable_errors(0)->set_count(-2); }},
  };
  for (const Mangling& mangling : manglings) {
    RpcStatistics statistics = SoundStatistics();
    mangling.mangle(statistics);
    RpcTotals totals;
    const absl::Status status = ReadTotals(statistics, totals);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(mangling.expected));
    EXPECT_EQ(totals.outcomes[Outcome::kMeasuredSuccess].count, 0) << mangling.expected;
    EXPECT_TRUE(totals.error_counts.empty()) << mangling.expected;
  }
}

TEST(RpcStatisticsTest, AHistogramMustCountWhatItsOutcomeCounts) {
  EXPECT_TRUE(CheckHistograms(SoundStatistics()).ok());

  RpcStatistics without = SoundStatistics();
  without.mutable_warmup_failure()->clear_service_time_ns();
  EXPECT_THAT(std::string(CheckHistograms(without).message()),
              HasSubstr("warmup_failure.service_time_ns.count is 0; it must be 2"));

  RpcStatistics more = SoundStatistics();
  *more.mutable_measured_failure()->mutable_lateness_ns() =
      more.measured_success().service_time_ns();
  EXPECT_THAT(std::string(CheckHistograms(more).message()),
              HasSubstr("measured_failure.lateness_ns.count is 2"));
}

}  // namespace
}  // namespace distbench
