#include "distbench/results/row_recorder.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int64_t kStartNs = 5'000'000'123;
constexpr int64_t kSecondNs = 1'000'000'000;
constexpr RpcIndex kRpc(0);

// Ends of RPCs, told in seconds since the traffic's start, through the recorder of a shard.
class RecordedRowsTest : public testing::Test {
 protected:
  void Start() { recorder_.StartRows(kStartNs); }

  void EndAt(double second) { EndAtNs(kStartNs + static_cast<int64_t>(second * kSecondNs)); }
  void EndAtNs(int64_t end_ns) {
    recorder_.RecordSuccess({.rpc = kRpc,
                             .server = InstanceIndex(1),
                             .start_ns = end_ns - 1000,
                             .end_ns = end_ns,
                             .request_bytes = 10,
                             .response_bytes = 20});
  }

  // Row and successes in it.
  std::vector<std::pair<int64_t, int64_t>> Rows() const {
    TimeSeriesRows rows;
    recorder_.AddTo(&rows);
    std::vector<std::pair<int64_t, int64_t>> result;
    rows.ForEach([&result](const RowSpan& span, RpcIndex, const RowCounts& counts) {
      result.emplace_back(span.index, counts.totals.measured_successes);
    });
    return result;
  }

  Recorder recorder_{{.plan = MadeUpPlan({}), .self = InstanceIndex(0)}};
};

TEST_F(RecordedRowsTest, AnRpcCountsInTheSecondInWhichItEnds) {
  Start();
  EndAtNs(kStartNs);
  EndAtNs(kStartNs + kSecondNs - 1);
  EndAtNs(kStartNs + kSecondNs);
  EndAt(1.5);
  EndAt(1.75);
  EXPECT_THAT(Rows(), ElementsAre(Pair(0, 2), Pair(1, 3)));
}

TEST_F(RecordedRowsTest, SecondsWithoutRpcsHaveNoRow) {
  Start();
  EndAt(0.5);
  EndAt(7.5);
  EXPECT_THAT(Rows(), ElementsAre(Pair(0, 1), Pair(7, 1)));
}

TEST_F(RecordedRowsTest, AnEndThatIsToldLateCountsWhereItBelongs) {
  Start();
  EndAt(0.5);
  EndAt(2.1);
  EndAt(1.9);  // the row was never open
  EndAt(0.7);  // the row is closed
  EndAt(2.2);
  EndAt(1.8);
  EXPECT_THAT(Rows(), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
  EndAt(3.5);
  EXPECT_THAT(Rows(), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2), Pair(3, 1)));
}

TEST_F(RecordedRowsTest, WhatEndsBeforeTheStartHasNegativeRows) {
  Start();
  EndAt(-0.5);
  EndAt(-1.5);
  EndAt(0.5);
  EXPECT_THAT(Rows(), ElementsAre(Pair(-2, 1), Pair(-1, 1), Pair(0, 1)));
}

TEST_F(RecordedRowsTest, WhatWasRecordedBeforeTheStartWasKnownIsTheSecondBeforeIt) {
  EndAt(-0.001);
  EndAt(-0.002);
  Start();
  EndAt(0.5);
  EXPECT_THAT(Rows(), ElementsAre(Pair(-1, 2), Pair(0, 1)));
}

TEST_F(RecordedRowsTest, WithoutAStartThereAreNoRows) {
  EndAt(0.5);
  EndAtNs(std::numeric_limits<int64_t>::max());
  EXPECT_THAT(Rows(), IsEmpty());
}

TEST_F(RecordedRowsTest, FailuresAndWarmupAreCountedApart) {
  Start();
  const RpcRecord measured = {.rpc = kRpc,
                              .server = InstanceIndex(1),
                              .start_ns = kStartNs,
                              .end_ns = kStartNs + 300,
                              .request_bytes = 10,
                              .response_bytes = 20};
  RpcRecord warmup = measured;
  warmup.warmup = true;
  // Once in time, and once more when the row is closed.
  for (int round = 0; round < 2; ++round) {
    recorder_.RecordSuccess(measured);
    recorder_.RecordSuccess(warmup);
    recorder_.RecordFailure(measured, "reset");
    recorder_.RecordFailure(warmup, "reset");
    if (round == 0) EndAt(9.5);
  }
  TimeSeriesRows rows;
  recorder_.AddTo(&rows);
  const RowTotals expected = {.measured_successes = 2,
                              .failures = 4,
                              .warmup_successes = 2,
                              .request_bytes = 20,
                              .response_bytes = 40,
                              .service_time_sum_ns = 600};
  const std::vector<RowBucket> times = {{.index = RowBucketOf(300).index, .count = 2}};
  std::vector<RowCounts> first;
  rows.ForEach([&first](const RowSpan& span, RpcIndex, const RowCounts& counts) {
    if (span.index == 0) first.push_back(counts);
  });
  EXPECT_THAT(first, ElementsAre(RowCounts{.totals = expected, .service_times = times}));
}

// Counters that grow, as a shard has them, and the rows that must come of it.
TEST(RowRecorderTest, RowsThatBecomeCoarserLoseNothing) {
  constexpr size_t kBudgetBytes = 8 << 10;
  RowRecorder recorder(/*rpc_count=*/2, kBudgetBytes);
  TimeSeriesRows expected(kBudgetBytes);
  CountsByRpc so_far(2);
  recorder.Start(kStartNs);
  std::mt19937_64 random(1);
  for (int64_t i = 0; i < 20'000; ++i) {
    // Up to 0.1 s late.
    const int64_t since_start_ns = i * 20'000'000 - static_cast<int64_t>(random() % 100'000'000);
    const int64_t end_ns = kStartNs + since_start_ns;
    const RpcIndex rpc(random() % 2);
    RowCounts counts;
    counts.totals.measured_successes = 1;
    counts.totals.service_time_sum_ns = random() % 1000;
    counts.service_times = {RowBucketOf(static_cast<int64_t>(counts.totals.service_time_sum_ns))};
    if (recorder.IsOutside(end_ns)) {
      if (recorder.IsBefore(end_ns)) {
        recorder.AddLate(end_ns, rpc, counts);
      } else {
        recorder.Advance(end_ns, so_far);
      }
    }
    so_far[rpc].Add(counts);
    expected.Add(RowSpanAt(since_start_ns, 0), rpc, counts);
  }
  TimeSeriesRows rows(kBudgetBytes);
  recorder.AddTo(so_far, &rows);
  rows.Settle();
  expected.Settle();
  EXPECT_GT(rows.doublings(), 2);
  std::vector<std::tuple<RowSpan, RpcIndex, RowTotals>> got, wanted;
  rows.ForEach([&got](const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
    got.emplace_back(span, rpc, counts.totals);
  });
  expected.ForEach([&wanted](const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
    wanted.emplace_back(span, rpc, counts.totals);
  });
  EXPECT_EQ(got, wanted);
}

}  // namespace
}  // namespace distbench
