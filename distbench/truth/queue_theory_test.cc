#include "distbench/truth/queue_theory.h"

#include <cmath>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// Erlang's series as it stands in textbooks, good for a light load and a short time.
double ErlangSeries(double load, double t) {
  double sum = 0;
  double factorial = 1;
  for (int k = 0; k <= t; ++k) {
    if (k > 0) factorial *= k;
    const double x = load * (k - t);
    sum += std::pow(x, k) / factorial * std::exp(-x);
  }
  return (1 - load) * sum;
}

TEST(QueueTheoryTest, Md1WaitingTimesAreThoseOfErlangsSeries) {
  for (const double load : {0.1, 0.5, 0.8}) {
    for (double t = 0; t < 12; t += 0.37) {
      EXPECT_NEAR(Md1WaitingTimeAtMost(load, t), ErlangSeries(load, t), 1e-9) << load << " " << t;
    }
  }
}

// The mean is the integral of what lies above the distribution.
TEST(QueueTheoryTest, Md1WaitingTimesHaveTheMeanOfPollaczekAndKhinchine) {
  for (const double load : {0.5, 0.8, 0.95}) {
    constexpr double kStep = 0.125;
    double mean = 0;
    for (double t = 0; t < 12 / (1 - load); t += kStep) {
      mean += kStep * (1 - Md1WaitingTimeAtMost(load, t + kStep / 2));
    }
    EXPECT_NEAR(1 + mean, Md1MeanResponse(load), 1e-3 * Md1MeanResponse(load)) << load;
  }
}

TEST(QueueTheoryTest, QuantilesInvertTheDistributions) {
  for (const double load : {0.5, 0.8, 0.95}) {
    EXPECT_NEAR(Md1WaitingTimeAtMost(load, Md1ResponseQuantile(load, 0.99) - 1), 0.99, 1e-9);
    EXPECT_NEAR(std::exp(-Mm1ResponseQuantile(load, 0.99) * (1 - load)), 0.01, 1e-12);
  }
}

}  // namespace
}  // namespace distbench
