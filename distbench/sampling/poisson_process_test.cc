// The bounds are those that chance exceeds in less than one of 10^5 seeds.
#include "distbench/sampling/poisson_process.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr double kMeanGapNs = 1e6;
constexpr size_t kArrivals = 1'000'000;
constexpr double kStandardErrors = 4.5;

// In mean gaps.
std::vector<double> Gaps(uint64_t seed) {
  PoissonProcess process({.mean_gap_ns = kMeanGapNs, .start_ns = 0, .gaps = CounterRandom({seed})});
  std::vector<double> gaps;
  int64_t last_ns = 0;
  for (size_t i = 0; i < kArrivals; ++i) {
    const int64_t next_ns = process.NextNs();
    gaps.push_back(static_cast<double>(next_ns - last_ns) / kMeanGapNs);
    last_ns = next_ns;
  }
  return gaps;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Of two series about their means, 1 in all moments that an exponential distribution has.
double Covariance(const std::vector<double>& gaps, size_t lag) {
  double sum = 0;
  for (size_t i = lag; i < gaps.size(); ++i) sum += (gaps[i] - 1) * (gaps[i - lag] - 1);
  return sum / static_cast<double>(gaps.size() - lag);
}

TEST(PoissonProcessTest, GapsAreExponential) {
  std::vector<double> gaps = Gaps(1);
  const double n = static_cast<double>(kArrivals);
  EXPECT_NEAR(Mean(gaps), 1, kStandardErrors / std::sqrt(n));
  // The fourth central moment is 9, so the variance of a squared deviation is 8.
  EXPECT_NEAR(Covariance(gaps, 0), 1, kStandardErrors * std::sqrt(8 / n));

  // Kolmogorov and Smirnov: P(D > x / sqrt(n)) tends to 2 exp(-2 x^2).
  std::sort(gaps.begin(), gaps.end());
  double distance = 0;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const double expected = -std::expm1(-gaps[i]);
    distance = std::max({distance, expected - static_cast<double>(i) / n,
                         static_cast<double>(i + 1) / n - expected});
  }
  EXPECT_LT(distance * std::sqrt(n), 2.47);
}

TEST(PoissonProcessTest, GapsAreIndependent) {
  const std::vector<double> gaps = Gaps(2);
  for (const size_t lag : {1, 2, 3, 8}) {
    EXPECT_NEAR(Covariance(gaps, lag), 0, kStandardErrors / std::sqrt(kArrivals)) << lag;
  }
}

TEST(PoissonProcessTest, ArrivalsOfAWindowVaryAsMuchAsThereAre) {
  constexpr double kWindow = 10;  // mean gaps
  std::vector<double> counts(kArrivals / 11);
  double time = 0;
  for (const double gap : Gaps(3)) {
    time += gap;
    const size_t window = static_cast<size_t>(time / kWindow);
    if (window < counts.size()) ++counts[window];
  }
  double squares = 0;
  for (const double count : counts) squares += (count - kWindow) * (count - kWindow);
  const double windows = static_cast<double>(counts.size());
  EXPECT_NEAR(squares / windows / kWindow, 1, kStandardErrors * std::sqrt(2.1 / windows));
}

TEST(PoissonProcessTest, CuttingToNanosecondsDoesNotDrift) {
  constexpr double kShortGapNs = 2.5;
  const CounterRandom gaps({4});
  PoissonProcess process({.mean_gap_ns = kShortGapNs, .start_ns = 1000, .gaps = gaps});
  long double exact_ns = 1000;
  for (size_t i = 0; i < kArrivals; ++i) {
    exact_ns += kShortGapNs * gaps.Stream(i).Exponential();
    const int64_t arrival_ns = process.NextNs();
    ASSERT_NEAR(static_cast<double>(static_cast<long double>(arrival_ns) - exact_ns), -0.5, 0.51);
  }
}

TEST(PoissonProcessTest, AnArrivalBeyondTheEndOfTimeComesThen) {
  PoissonProcess process(
      {.mean_gap_ns = 1e18, .start_ns = 1'000'000'000, .gaps = CounterRandom({5})});
  for (int i = 0; i < 100; ++i) process.NextNs();
  EXPECT_EQ(process.NextNs(), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace distbench
