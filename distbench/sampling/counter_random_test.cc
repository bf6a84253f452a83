#include "distbench/sampling/counter_random.h"

#include <cmath>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// Chi-squared statistic of counts that should be uniform.
double ChiSquared(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// Below the 0.9999 quantile of the chi-squared distribution (Wilson and Hilferty's approximation).
bool LooksUniform(const std::vector<int>& counts, double expected) {
  const double df = static_cast<double>(counts.size() - 1);
  const double z = 3.719;
  const double limit = df * std::pow(1 - 2 / (9 * df) + z * std::sqrt(2 / (9 * df)), 3);
  return ChiSquared(counts, expected) < limit;
}

TEST(CounterRandomTest, TheSameKeyGivesTheSameStream) {
  CounterRandom a({1, 2, 3});
  CounterRandom b({1, 2, 3});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(CounterRandomTest, KeysThatDifferAnywhereGiveDifferentStreams) {
  std::set<uint64_t> first_draws;
  for (uint64_t a = 0; a < 20; ++a) {
    for (uint64_t b = 0; b < 20; ++b) {
      for (uint64_t c = 0; c < 20; ++c) first_draws.insert(CounterRandom({a, b, c})());
    }
  }
  EXPECT_EQ(first_draws.size(), 8000u);
}

TEST(CounterRandomTest, FirstDrawsOfNeighbouringKeysAreUniform) {
  constexpr int kDraws = 1'000'000;
  for (uint64_t bound : {2u, 3u, 7u, 10u, 100u}) {
    std::vector<int> counts(bound);
    for (int i = 0; i < kDraws; ++i) {
      ++counts[CounterRandom({42, 0, 1, static_cast<uint64_t>(i)}).Below(bound)];
    }
    EXPECT_TRUE(LooksUniform(counts, static_cast<double>(kDraws) / bound)) << bound;
  }
}

TEST(CounterRandomTest, OneStreamIsUniform) {
  constexpr int kDraws = 1'000'000;
  CounterRandom random({7});
  std::vector<int> counts(64);
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<size_t>(random.Unit() * 64)];
  EXPECT_TRUE(LooksUniform(counts, kDraws / 64.0));
}

TEST(CounterRandomTest, NeighbouringKeysAreUncorrelated) {
  constexpr int kDraws = 200'000;
  std::vector<int> counts(16 * 16);
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t here = CounterRandom({5, i}).Below(16);
    const uint64_t next = CounterRandom({5, i + 1}).Below(16);
    ++counts[here * 16 + next];
  }
  EXPECT_TRUE(LooksUniform(counts, kDraws / 256.0));
}

TEST(CounterRandomTest, StreamIsThatOfTheLongerKey) {
  CounterRandom stream = CounterRandom({7, 3}).Stream(11);
  CounterRandom whole({7, 3, 11});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(stream(), whole());
}

}  // namespace
}  // namespace distbench
