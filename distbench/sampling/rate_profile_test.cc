#include "distbench/sampling/rate_profile.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "distbench/sampling/counter_random.h"
#include "distbench/sampling/poisson_process.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

// How many of the arrivals that come each `interval_ns` at an even rate come in [from, to).
int64_t ArrivalsIn(const RateProfile& profile, int64_t interval_ns, int64_t from_ns,
                   int64_t to_ns) {
  int64_t count = 0;
  for (int64_t i = 0; profile.TimeOf(i * interval_ns) < to_ns; ++i) {
    count += profile.TimeOf(i * interval_ns) >= from_ns;
  }
  return count;
}

TEST(RateProfileTest, ARateOfOneChangesNothing) {
  const RateProfile profile({{.duration_ns = 777}, {.duration_ns = 5'000}});
  for (int64_t ns = 0; ns < 20'000; ns += 7) EXPECT_EQ(profile.TimeOf(ns), ns);
  EXPECT_EQ(profile.TimeOf(8'000'000'000'000'001), 8'000'000'000'000'001);
}

TEST(RateProfileTest, StepsBringWhatTheirRatesSay) {
  const RateProfile profile({{.start_factor = 1, .end_factor = 1, .duration_ns = kSecondNs},
                             {.start_factor = 4, .end_factor = 4, .duration_ns = 2 * kSecondNs},
                             {.start_factor = 0.5, .end_factor = 0.5, .duration_ns = kSecondNs}});
  const int64_t interval_ns = kSecondNs / 100;
  EXPECT_EQ(ArrivalsIn(profile, interval_ns, 0, kSecondNs), 100);
  EXPECT_EQ(ArrivalsIn(profile, interval_ns, kSecondNs, 3 * kSecondNs), 800);
  // The last rate stays.
  EXPECT_EQ(ArrivalsIn(profile, interval_ns, 3 * kSecondNs, 13 * kSecondNs), 500);
}

TEST(RateProfileTest, NothingComesInAPause) {
  const RateProfile profile({{.start_factor = 1, .end_factor = 1, .duration_ns = kSecondNs},
                             {.start_factor = 0, .end_factor = 0, .duration_ns = kSecondNs},
                             {.start_factor = 2, .end_factor = 2, .duration_ns = kSecondNs}});
  EXPECT_EQ(profile.TimeOf(kSecondNs - 1), kSecondNs - 1);
  EXPECT_EQ(profile.TimeOf(kSecondNs), 2 * kSecondNs);
  EXPECT_EQ(profile.TimeOf(kSecondNs + 10), 2 * kSecondNs + 5);
}

// A ramp from a to b brings a t + (b - a) t^2 / (2 D) until t.
TEST(RateProfileTest, RampsBringTheAreaBelowThem) {
  struct Ramp {
    double start, end;
  };
  for (const Ramp& ramp :
       {Ramp{1, 10}, Ramp{10, 1}, Ramp{0, 3}, Ramp{3, 0.001}, Ramp{2, 2.000001}}) {
    const RateProfile profile(
        {{.start_factor = ramp.start, .end_factor = ramp.end, .duration_ns = kSecondNs}});
    for (const double share : {0.01, 0.1, 0.25, 0.5, 0.9, 0.999}) {
      const double t = share * static_cast<double>(kSecondNs);
      const double area = ramp.start * t + (ramp.end - ramp.start) * share * t / 2;
      EXPECT_NEAR(static_cast<double>(profile.TimeOf(std::llround(area))), t,
                  // What half a nanosecond is at the rate there, and rounding.
                  1 + 0.5 / (ramp.start + (ramp.end - ramp.start) * share))
          << ramp.start << " to " << ramp.end << " at " << share;
    }
  }
}

TEST(RateProfileTest, TimeGoesForward) {
  const RateProfile profile({{.start_factor = 0, .end_factor = 5, .duration_ns = 1'000},
                             {.start_factor = 0, .end_factor = 0, .duration_ns = 300},
                             {.start_factor = 7, .end_factor = 0.5, .duration_ns = 2'000}});
  int64_t last_ns = 0;
  for (int64_t ns = 0; ns < 30'000; ++ns) {
    const int64_t now_ns = profile.TimeOf(ns);
    EXPECT_GE(now_ns, last_ns);
    last_ns = now_ns;
  }
}

TEST(RateProfileTest, TheEvenTimeAtAMomentIsTheLongestThatComesNoLater) {
  const RateProfile profile({{.start_factor = 0, .end_factor = 0, .duration_ns = 200},
                             {.start_factor = 0, .end_factor = 5, .duration_ns = 1'000},
                             {.start_factor = 0, .end_factor = 0, .duration_ns = 300},
                             {.start_factor = 7, .end_factor = 0.25, .duration_ns = 2'000}});
  EXPECT_EQ(profile.EvenTimeAt(199), -1);
  for (int64_t ns = 200; ns < 10'000; ++ns) {
    const int64_t even_ns = profile.EvenTimeAt(ns);
    EXPECT_LE(profile.TimeOf(even_ns), ns);
    EXPECT_GT(profile.TimeOf(even_ns + 1), ns);
  }
  // The ramp brings 2500; what comes with the last of it comes after the pause.
  EXPECT_EQ(profile.EvenTimeAt(1'499), 2'499);
  EXPECT_EQ(profile.EvenTimeAt(1'500), 2'500 + 3);
  EXPECT_EQ(profile.EvenTimeAt(std::numeric_limits<int64_t>::max()),
            std::numeric_limits<int64_t>::max());
}

TEST(RateProfileTest, WhatComesBeyondTheEndOfTimeComesThen) {
  const RateProfile profile({{.start_factor = 1e-9, .end_factor = 1e-9, .duration_ns = 1}});
  EXPECT_EQ(profile.TimeOf(std::numeric_limits<int64_t>::max()),
            std::numeric_limits<int64_t>::max());
}

// A Poisson process through a ramp has in each part of the time as many arrivals as the area below
// the ramp, Poisson distributed: chi-squared over 20 parts, with their known means.
TEST(RateProfileTest, APoissonProcessBecomesOneOfThatIntensity) {
  constexpr int kParts = 20;
  constexpr double kMeanGapNs = 1'000;
  const RateProfile profile({{.start_factor = 1, .end_factor = 5, .duration_ns = kSecondNs}});
  PoissonProcess process({.mean_gap_ns = kMeanGapNs, .gaps = CounterRandom({11})});
  std::vector<double> counts(kParts);
  while (true) {
    const int64_t now_ns = profile.TimeOf(process.NextNs());
    if (now_ns >= kSecondNs) break;
    ++counts[static_cast<size_t>(now_ns * kParts / kSecondNs)];
  }
  double chi_squared = 0;
  for (int i = 0; i < kParts; ++i) {
    const double factor = 1 + 4 * (i + 0.5) / kParts;
    const double expected = factor * static_cast<double>(kSecondNs) / kParts / kMeanGapNs;
    chi_squared += std::pow(counts[static_cast<size_t>(i)] - expected, 2) / expected;
  }
  // 20 degrees of freedom: exceeded once in 10^5 seeds; below the other once in 10^5.
  EXPECT_LT(chi_squared, 59.2);
  EXPECT_GT(chi_squared, 3.6);
}

}  // namespace
}  // namespace distbench
