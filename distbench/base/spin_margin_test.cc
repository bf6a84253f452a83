#include "distbench/base/spin_margin.h"

#include <random>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(SpinMarginTest, FollowsTheQuantileOfWhatItSees) {
  std::mt19937_64 random(1);
  SpinMargin margin(100'000);
  // Lateness is exponential: its 99.5 % quantile is 5.298 times its mean.
  for (const double mean_ns : {30'000.0, 60'000.0, 20'000.0}) {
    std::exponential_distribution<double> lateness(1 / mean_ns);
    int64_t too_late = 0;
    double sum = 0;
    constexpr int kLearning = 20'000, kLooking = 100'000;
    for (int i = 0; i < kLearning + kLooking; ++i) {
      const auto late_ns = static_cast<int64_t>(lateness(random));
      if (i >= kLearning) {
        too_late += late_ns > margin.ns() ? 1 : 0;
        sum += static_cast<double>(margin.ns());
      }
      margin.OnWakeUp(late_ns);
    }
    EXPECT_NEAR(static_cast<double>(too_late) / kLooking, 0.005, 0.0005) << mean_ns;
    EXPECT_NEAR(sum / kLooking / mean_ns, 5.3, 0.5) << mean_ns;
  }
}

TEST(SpinMarginTest, LearnsFromTheFirstWakeUpsThatAreTooLate) {
  std::mt19937_64 random(2);
  std::exponential_distribution<double> lateness(1 / 60'000.0);
  double too_late = 0;
  constexpr int kRuns = 1'000, kWakeUps = 2'000;
  for (int run = 0; run < kRuns; ++run) {
    SpinMargin margin(10'000);
    for (int i = 0; i < kWakeUps; ++i) {
      const auto late_ns = static_cast<int64_t>(lateness(random));
      too_late += late_ns > margin.ns() ? 1 : 0;
      margin.OnWakeUp(late_ns);
    }
  }
  // 5.9 records among the first 200, then one in 200.
  EXPECT_NEAR(too_late / kRuns, 15, 1.5);
}

TEST(SpinMarginTest, StaysWithinItsLimits) {
  SpinMargin margin(100'000);
  for (int i = 0; i < 10'000; ++i) margin.OnWakeUp(0);
  EXPECT_EQ(margin.ns(), 50'000);
  for (int i = 0; i < 10'000; ++i) margin.OnWakeUp(1'000'000'000);
  EXPECT_EQ(margin.ns(), SpinMargin::kMostNs);
}

}  // namespace
}  // namespace distbench
