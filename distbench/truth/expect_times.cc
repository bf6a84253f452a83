#include "distbench/truth/expect_times.h"

#include <algorithm>
#include <numeric>

#include "distbench/results/printed_percentiles.h"
#include "distbench/truth/exact_quantile.h"
#include "gtest/gtest.h"

namespace distbench {

void ExpectTimes(const LogLinearHistogram& measured, std::vector<int64_t> expected_ns) {
  constexpr double kTolerance = 0.005;
  ASSERT_FALSE(expected_ns.empty());
  std::sort(expected_ns.begin(), expected_ns.end());
  const LogLinearHistogram::Totals& totals = measured.totals();
  EXPECT_EQ(totals.count, expected_ns.size());
  EXPECT_EQ(totals.min, expected_ns.front());
  EXPECT_EQ(totals.max, expected_ns.back());
  EXPECT_EQ(static_cast<int64_t>(totals.sum),
            std::accumulate(expected_ns.begin(), expected_ns.end(), int64_t{0}));
  for (const PrintedPercentile& percentile : kPrintedPercentiles) {
    const double expected = static_cast<double>(ExactQuantile(expected_ns, percentile.ppm));
    EXPECT_NEAR(static_cast<double>(measured.Quantile(percentile.ppm)), expected,
                kTolerance * expected)
        << percentile.name;
  }
}

}  // namespace distbench
