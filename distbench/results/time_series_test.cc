#include "distbench/results/time_series.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

constexpr RpcIndex kRpc(0);
constexpr int64_t kSecondNs = 1'000'000'000;

// Successes of a few service times.
RowCounts Counts(const std::vector<int64_t>& service_times_ns) {
  RowCounts counts;
  for (const int64_t service_time_ns : service_times_ns) {
    RowCounts one;
    one.totals.measured_successes = 1;
    one.totals.request_bytes = 16;
    one.totals.service_time_sum_ns = static_cast<uint64_t>(service_time_ns);
    one.service_times.push_back(RowBucketOf(service_time_ns));
    counts.Add(one);
  }
  return counts;
}

struct Addition {
  RowSpan span;
  RpcIndex rpc;
  RowCounts counts;
};

// Rows as they can be compared.
using Content = std::vector<std::tuple<RowSpan, RpcIndex, RowTotals, std::vector<RowBucket>>>;

Content ContentOf(const TimeSeriesRows& rows) {
  Content content;
  rows.ForEach([&content](const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
    content.emplace_back(span, rpc, counts.totals, counts.service_times);
  });
  return content;
}

std::vector<int64_t> IndicesOf(const TimeSeriesRows& rows) {
  std::vector<int64_t> indices;
  rows.ForEach([&indices](const RowSpan& span, RpcIndex, const RowCounts&) {
    indices.push_back(span.index);
  });
  return indices;
}

TEST(RowSpanAtTest, RowsAreAlignedWithTheStartOnBothSides) {
  const auto index = [](int64_t since_start_ns, int doublings) {
    return RowSpanAt(since_start_ns, doublings).index;
  };
  EXPECT_EQ(index(0, 0), 0);
  EXPECT_EQ(index(kSecondNs - 1, 0), 0);
  EXPECT_EQ(index(kSecondNs, 0), 1);
  EXPECT_EQ(index(-1, 0), -1);
  EXPECT_EQ(index(-kSecondNs, 0), -1);
  EXPECT_EQ(index(-kSecondNs - 1, 0), -2);
  EXPECT_EQ(index(7 * kSecondNs, 2), 1);
  EXPECT_EQ(index(-5 * kSecondNs, 2), -2);
}

TEST(TimeSeriesRowsTest, WhatEndsInOneRowIsAddedUp) {
  TimeSeriesRows rows;
  rows.Add({.doublings = 0, .index = 3}, kRpc, Counts({100, 5000}));
  rows.Add({.doublings = 0, .index = 3}, kRpc, Counts({100, 70}));
  rows.Add({.doublings = 0, .index = 3}, RpcIndex(1), Counts({1}));
  rows.Add({.doublings = 0, .index = 4}, kRpc, RowCounts());
  const RowCounts sum = Counts({70, 100, 100, 5000});
  const RowCounts other = Counts({1});
  const RowSpan span = {.doublings = 0, .index = 3};
  EXPECT_THAT(ContentOf(rows),
              ElementsAre(std::tuple(span, kRpc, sum.totals, sum.service_times),
                          std::tuple(span, RpcIndex(1), other.totals, other.service_times)));
}

TEST(TimeSeriesRowsTest, ACoarserRowMakesAllRowsAsCoarse) {
  TimeSeriesRows rows;
  for (int64_t index = -3; index <= 4; ++index) {
    rows.Add({.doublings = 0, .index = index}, kRpc, Counts({index + 10}));
  }
  rows.Add({.doublings = 1, .index = 9}, kRpc, Counts({1}));
  rows.Settle();
  EXPECT_EQ(rows.doublings(), 1);
  EXPECT_THAT(IndicesOf(rows), ElementsAre(-2, -1, 0, 1, 2, 9));
  // A finer row falls into the one that it is part of.
  rows.Add({.doublings = 0, .index = -4}, kRpc, Counts({1}));
  EXPECT_THAT(IndicesOf(rows), ElementsAre(-2, -1, 0, 1, 2, 9));
}

TEST(TimeSeriesRowsTest, RowsBesideTheStartAreNeverAddedUp) {
  TimeSeriesRows rows(/*budget_bytes=*/0);
  for (const int64_t index : {-9'000'000'000, -2L, -1L, 0L, 1L, 9'000'000'000}) {
    rows.Add({.doublings = 0, .index = index}, kRpc, Counts({1}));
  }
  rows.Settle();
  EXPECT_EQ(rows.doublings(), RowSpan::kMaxDoublings);
  EXPECT_THAT(IndicesOf(rows), ElementsAre(-2, -1, 0, 1)) << "rows of 272 years";
}

// A row every half minute, each of other service times.
TEST(TimeSeriesRowsTest, AWeekKeepsTheBudget) {
  constexpr int64_t kWeekSeconds = 7 * 24 * 3600;
  constexpr int64_t kStepSeconds = 30;
  constexpr size_t kBudgetBytes = 32 << 10;
  TimeSeriesRows rows(kBudgetBytes);
  std::mt19937_64 random(1);
  for (int64_t second = 0; second < kWeekSeconds; second += kStepSeconds) {
    const auto service_time_ns = static_cast<int64_t>(100'000 + random() % 1'000'000);
    rows.Add({.doublings = 0, .index = second}, kRpc,
             Counts({service_time_ns, 2 * service_time_ns}));
    ASSERT_LE(rows.size_bytes(), kBudgetBytes * 5 / 4) << "at second " << second;
  }
  rows.Settle();
  EXPECT_LE(rows.size_bytes(), kBudgetBytes);
  EXPECT_GT(rows.size_bytes(), kBudgetBytes / 4) << "no coarser than must be";
  int64_t successes = 0;
  rows.ForEach([&](const RowSpan& span, RpcIndex, const RowCounts& counts) {
    EXPECT_EQ(span.doublings, rows.doublings());
    successes += counts.totals.measured_successes;
  });
  EXPECT_EQ(successes, 2 * kWeekSeconds / kStepSeconds);
}

class TimeSeriesOrderTest : public testing::TestWithParam<size_t> {
 protected:
  static std::vector<Addition> Additions(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Addition> additions(3000);
    for (auto& [span, rpc, counts] : additions) {
      span.index = static_cast<int64_t>(random() % 500) - 20;
      rpc = RpcIndex(random() % 3);
      const auto least_ns = static_cast<int64_t>(random() % 100'000);
      counts = Counts({least_ns, 3 * least_ns, 3 * least_ns + 1});
    }
    return additions;
  }
};

// However the additions are ordered, and whoever has added them up before.
TEST_P(TimeSeriesOrderTest, OrderAndPartsMakeNoDifference) {
  const size_t budget_bytes = GetParam();
  std::vector<Addition> additions = Additions(1);
  TimeSeriesRows whole(budget_bytes);
  for (const auto& [span, rpc, counts] : additions) whole.Add(span, rpc, counts);
  whole.Settle();
  std::mt19937_64 random(2);
  for (const size_t part_count : {1, 2, 8, 20}) {
    std::shuffle(additions.begin(), additions.end(), random);
    std::vector<TimeSeriesRows> parts(part_count, TimeSeriesRows(budget_bytes));
    for (const auto& [span, rpc, counts] : additions) {
      parts[random() % part_count].Add(span, rpc, counts);
    }
    TimeSeriesRows sum(budget_bytes);
    for (const TimeSeriesRows& part : parts) sum.Add(part);
    sum.Settle();
    EXPECT_EQ(ContentOf(sum), ContentOf(whole)) << part_count << " parts";
    EXPECT_EQ(sum.size_bytes(), whole.size_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Budgets, TimeSeriesOrderTest,
                         testing::Values(size_t{1} << 30, 100'000, 20'000, 2'000));

}  // namespace
}  // namespace distbench
