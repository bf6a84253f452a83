// Time series from the RPC to the test's result: what must hold for any traffic, however it is
// spread over shards and nodes, and what a node may not send.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/merge.h"
#include "distbench/results/recorder.h"
#include "distbench/results/time_series_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

// In the middle of the made-up traffic.
constexpr int64_t kStartNs = 20'000'000'000;
constexpr int64_t kSecondNs = 1'000'000'000;

int64_t FloorSecond(int64_t since_start_ns) {
  int64_t second = since_start_ns / kSecondNs;
  while (second * kSecondNs > since_start_ns) --second;
  return second;
}

// The time series of `traffic` on `shards` shards, at random.
TimeSeries SeriesOf(const std::shared_ptr<const Plan>& plan, const std::vector<MadeUpRpc>& traffic,
                    size_t shards, std::mt19937_64& random) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (size_t i = 0; i < shards; ++i) {
    recorders.push_back(
        std::make_unique<Recorder>(RecorderOptions{.plan = plan, .self = InstanceIndex(0)}));
    recorders.back()->StartRows(kStartNs);
  }
  for (const MadeUpRpc& rpc : traffic) Record(rpc, *recorders[random() % shards]);
  TimeSeriesRows rows;
  for (const auto& recorder : recorders) recorder->AddTo(&rows);
  TimeSeries series;
  WriteTimeSeries(std::move(rows), series);
  return series;
}

TestResult Merge(const std::vector<TimeSeries>& nodes) {
  TestResult result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    GetTrafficResultResponse node;
    *node.mutable_time_series() = nodes[i];
    const absl::Status status = MergeNodeResult(std::move(node), result);
    EXPECT_TRUE(status.ok()) << status;
  }
  return result;
}

class TimeSeriesPropertyTest : public testing::TestWithParam<uint64_t> {
 protected:
  const std::shared_ptr<const Plan> plan_ =
      MadeUpPlan({.clients = 20, .servers = 3, .rpcs = {"get", "put", "list"}});
  const std::vector<MadeUpRpc> traffic_ = MadeUpTraffic(*plan_, 3000, GetParam());
  std::mt19937_64 random_{GetParam()};
};

// By the second and the RPC, counted one by one.
TEST_P(TimeSeriesPropertyTest, RowsAreWhatEndedInThem) {
  struct Expected {
    RpcCounts counts;
    std::map<uint32_t, uint64_t> buckets;
    uint64_t sum_ns = 0;
  };
  std::map<std::pair<int64_t, int32_t>, Expected> expected;
  for (const auto& [record, error] : traffic_) {
    auto& [counts, buckets, sum_ns] =
        expected[{FloorSecond(record.end_ns - kStartNs), static_cast<int32_t>(record.rpc.value())}];
    if (!error.empty()) {
      counts.set_failures(counts.failures() + 1);
    } else if (record.warmup) {
      counts.set_warmup_successes(counts.warmup_successes() + 1);
    } else {
      const int64_t service_time_ns = record.end_ns - record.start_ns;
      counts.set_measured_successes(counts.measured_successes() + 1);
      counts.set_request_bytes(counts.request_bytes() + record.request_bytes);
      counts.set_response_bytes(counts.response_bytes() + record.response_bytes);
      ++buckets[HistogramLayout(7).Index(static_cast<uint64_t>(service_time_ns))];
      sum_ns += static_cast<uint64_t>(service_time_ns);
    }
  }
  const TimeSeries series = SeriesOf(plan_, traffic_, 3, random_);
  EXPECT_EQ(series.row_duration_ns(), kSecondNs);
  size_t compared = 0;
  for (const TimeSeriesRow& row : series.rows()) {
    for (const RpcCounts& counts : row.rpcs()) {
      const auto& [wanted, buckets, sum_ns] = expected.at({row.index(), counts.rpc_index()});
      EXPECT_EQ(counts.measured_successes(), wanted.measured_successes());
      EXPECT_EQ(counts.failures(), wanted.failures());
      EXPECT_EQ(counts.warmup_successes(), wanted.warmup_successes());
      EXPECT_EQ(counts.request_bytes(), wanted.request_bytes());
      EXPECT_EQ(counts.response_bytes(), wanted.response_bytes());
      EXPECT_EQ(counts.service_time_ns().sum_low(), sum_ns);
      std::map<uint32_t, uint64_t> got;
      uint32_t index = 0;
      for (int i = 0; i < counts.service_time_ns().bucket_counts_size(); ++i) {
        index += counts.service_time_ns().bucket_index_deltas(i);
        got[index] = counts.service_time_ns().bucket_counts(i);
      }
      EXPECT_EQ(got, buckets);
      ++compared;
    }
  }
  EXPECT_EQ(compared, expected.size());
}

TEST_P(TimeSeriesPropertyTest, ShardsAndOrderMakeNoDifference) {
  std::vector<MadeUpRpc> traffic = traffic_;
  const std::string one = SeriesOf(plan_, traffic, 1, random_).SerializeAsString();
  EXPECT_EQ(SeriesOf(plan_, traffic, 8, random_).SerializeAsString(), one);
  std::sort(traffic.begin(), traffic.end(), [](const MadeUpRpc& a, const MadeUpRpc& b) {
    return a.record.end_ns < b.record.end_ns;
  });
  EXPECT_EQ(SeriesOf(plan_, traffic, 1, random_).SerializeAsString(), one);
  EXPECT_EQ(SeriesOf(plan_, traffic, 8, random_).SerializeAsString(), one);
}

TEST_P(TimeSeriesPropertyTest, NodesMakeNoDifference) {
  const std::string one =
      Merge({SeriesOf(plan_, traffic_, 1, random_)}).time_series().SerializeAsString();
  std::vector<std::vector<MadeUpRpc>> parts(20);
  for (const MadeUpRpc& rpc : traffic_) parts[random_() % parts.size()].push_back(rpc);
  std::vector<TimeSeries> nodes;
  for (const auto& part : parts) nodes.push_back(SeriesOf(plan_, part, 2, random_));
  EXPECT_EQ(Merge(nodes).time_series().SerializeAsString(), one);
  std::shuffle(nodes.begin(), nodes.end(), random_);
  EXPECT_EQ(Merge(nodes).time_series().SerializeAsString(), one);
}

TEST_P(TimeSeriesPropertyTest, RowsAddUpToTheTotals) {
  Recorder recorder({.plan = plan_, .self = InstanceIndex(0)});
  recorder.StartRows(kStartNs);
  for (const MadeUpRpc& rpc : traffic_) Record(rpc, recorder);
  TimeSeriesRows rows;
  recorder.AddTo(&rows);
  std::map<RpcIndex, RowTotals> sums;
  rows.ForEach([&sums](const RowSpan&, RpcIndex rpc, const RowCounts& counts) {
    sums[rpc].Add(counts.totals);
  });
  const ServicePerformanceLog log = BuildServiceLog({&recorder}, WallAnchor());
  ASSERT_EQ(sums.size(), static_cast<size_t>(log.rpc_statistics_size()));
  for (const auto& [rpc, sum] : sums) {
    const RpcStatistics& total = log.rpc_statistics().at(static_cast<int32_t>(rpc.value()));
    EXPECT_EQ(sum.measured_successes, total.measured_success().count());
    EXPECT_EQ(sum.failures, total.measured_failure().count() + total.warmup_failure().count());
    EXPECT_EQ(sum.warmup_successes, total.warmup_success().count());
    EXPECT_EQ(sum.request_bytes, total.measured_success().request_bytes());
    EXPECT_EQ(sum.response_bytes, total.measured_success().response_bytes());
    EXPECT_EQ(absl::Uint128Low64(sum.service_time_sum_ns),
              total.measured_success().service_time_ns().sum_low());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TimeSeriesPropertyTest, testing::Range<uint64_t>(1, 5));

// --- What a node may not send

class BadTimeSeriesTest : public testing::Test {
 protected:
  BadTimeSeriesTest() {
    const auto plan = MadeUpPlan({.rpcs = {"get", "put"}});
    std::mt19937_64 random(1);
    good_ = SeriesOf(plan, MadeUpTraffic(*plan, 500, 1), 1, random);
    // Two rows, the longest one first, so that it has whatever can be spoilt.
    auto& rows = *good_.mutable_rows();
    std::sort(rows.begin(), rows.end(), [](const TimeSeriesRow& a, const TimeSeriesRow& b) {
      return a.ByteSizeLong() > b.ByteSizeLong();
    });
    rows.DeleteSubrange(2, rows.size() - 2);
    rows[0].set_index(-1000);
    rows[1].set_index(1000);
  }

  void ExpectRefused(const TimeSeries& bad, const std::string& expected) {
    TestResult result = Merge({good_});
    const std::string before = result.DebugString();
    GetTrafficResultResponse node;
    *node.mutable_time_series() = bad;
    const absl::Status status = MergeNodeResult(std::move(node), result);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(expected));
    EXPECT_EQ(result.DebugString(), before);
  }

  RpcCounts& FirstCounts(TimeSeries& series) { return *series.mutable_rows(0)->mutable_rpcs(0); }

  TimeSeries good_;
};

TEST_F(BadTimeSeriesTest, OddDurationsAreRefused) {
  TimeSeries bad = good_;
  for (const int64_t duration_ns : {int64_t{0}, int64_t{-1'000'000'000}, int64_t{1'500'000'000},
                                    std::numeric_limits<int64_t>::max()}) {
    bad.set_row_duration_ns(duration_ns);
    ExpectRefused(bad, absl::StrCat("time_series: row_duration_ns is ", duration_ns));
  }
}

TEST_F(BadTimeSeriesTest, RowsOutOfOrderAreRefused) {
  TimeSeries bad = good_;
  bad.mutable_rows(1)->set_index(-1000);
  ExpectRefused(bad, "time_series: rows[1].index is -1000 after -1000");
}

TEST_F(BadTimeSeriesTest, RowsOutOfAllTimeAreRefused) {
  TimeSeries bad = good_;
  bad.mutable_rows(1)->set_index(10'000'000'000);
  ExpectRefused(bad, "rows[1].index is 10000000000; it must be -9223372036 to 9223372036");
  bad.mutable_rows(0)->set_index(std::numeric_limits<int64_t>::min());
  ExpectRefused(bad, "rows[0].index is -9223372036854775808; it must be");
}

TEST_F(BadTimeSeriesTest, RpcsOutOfOrderAreRefused) {
  TimeSeries bad = good_;
  *bad.mutable_rows(0)->add_rpcs() = bad.rows(0).rpcs(0);
  ExpectRefused(bad, "rows[0].rpcs.rpc_index is 0; indices must increase");
  FirstCounts(bad = good_).set_rpc_index(-1);
  ExpectRefused(bad, "rows[0].rpcs.rpc_index is -1");
}

TEST_F(BadTimeSeriesTest, NegativeCountsAreRefused) {
  TimeSeries bad = good_;
  FirstCounts(bad).set_failures(-2);
  ExpectRefused(bad, "rows[0].rpcs of rpc_index 0: failures is -2");
  FirstCounts(bad = good_).set_warmup_successes(-1);
  ExpectRefused(bad, "warmup_successes is -1");
  FirstCounts(bad = good_).set_request_bytes(-1);
  ExpectRefused(bad, "request_bytes is -1");
  FirstCounts(bad = good_).set_response_bytes(-1);
  ExpectRefused(bad, "response_bytes is -1");
}

TEST_F(BadTimeSeriesTest, BadHistogramsAreRefused) {
  TimeSeries bad = good_;
  ASSERT_GT(FirstCounts(bad).measured_successes(), 0);
  FirstCounts(bad).set_measured_successes(0);
  ExpectRefused(bad, "service_time_ns.count is ");
  FirstCounts(bad = good_).mutable_service_time_ns()->set_sub_bucket_bits(60);
  ExpectRefused(bad, "service_time_ns.sub_bucket_bits is 60");
  FirstCounts(bad = good_).mutable_service_time_ns()->set_bucket_counts(0, 0);
  ExpectRefused(bad, "service_time_ns.bucket_counts[0] is 0");

  Histogram exact;
  exact.set_sub_bucket_bits(9);
  exact.set_count(1);
  exact.set_min(5);
  exact.set_max(5);
  exact.set_sum_low(5);
  exact.add_bucket_index_deltas(5);
  exact.add_bucket_counts(1);
  FirstCounts(bad = good_).set_measured_successes(1);
  *FirstCounts(bad).mutable_service_time_ns() = exact;
  ExpectRefused(bad, "service_time_ns.sub_bucket_bits is 9; it must be 7");
}

TEST_F(BadTimeSeriesTest, MoreRpcsThanAMessageMayCountAreRefused) {
  TimeSeries bad;
  bad.set_row_duration_ns(kSecondNs);
  RpcCounts& counts = *bad.add_rows()->add_rpcs();
  counts.set_measured_successes(int64_t{1} << 48);
  Histogram& histogram = *counts.mutable_service_time_ns();
  histogram.set_sub_bucket_bits(7);
  histogram.set_count(int64_t{1} << 48);
  histogram.set_min(0);
  histogram.set_max(0);
  histogram.add_bucket_index_deltas(0);
  histogram.add_bucket_counts(uint64_t{1} << 48);
  EXPECT_TRUE(CheckTimeSeries(bad).ok()) << CheckTimeSeries(bad);
  ExpectRefused(bad, "time_series: measured_successes of all nodes add up to");
}

}  // namespace
}  // namespace distbench
