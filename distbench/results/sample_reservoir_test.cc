#include "distbench/results/sample_reservoir.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// Which of those offered are kept, by their start.
std::set<int64_t> Kept(const SampleReservoir& reservoir) {
  std::vector<const SampleReservoir::Candidate*> candidates;
  for (const auto& candidate : reservoir.candidates()) candidates.push_back(&candidate);
  std::sort(candidates.begin(), candidates.end(),
            [](const auto* a, const auto* b) { return a->priority < b->priority; });
  if (candidates.size() > reservoir.max_samples()) candidates.resize(reservoir.max_samples());
  std::set<int64_t> starts_ns;
  for (const auto* candidate : candidates) starts_ns.insert(candidate->sample.start_ns);
  return starts_ns;
}

TEST(SampleReservoirTest, KeepsThoseOfLeastPriorityInWhateverOrderTheyCome) {
  std::mt19937_64 random(1);
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 10'000; ++i) values.push_back(i);
  for (const int64_t limit : {1, 2, 7, 1000, 9999, 20'000}) {
    for (int order = 0; order < 4; ++order) {
      SampleReservoir reservoir(limit);
      // Up, down, and twice at random.
      if (order == 1) std::reverse(values.begin(), values.end());
      if (order >= 2) std::shuffle(values.begin(), values.end(), random);
      for (const int64_t value : values) {
        reservoir.Offer(static_cast<uint64_t>(value), {.start_ns = value});
        ASSERT_LE(reservoir.candidates().size(), static_cast<size_t>(2 * limit));
      }
      const std::set<int64_t> kept = Kept(reservoir);
      ASSERT_EQ(kept.size(), static_cast<size_t>(std::min<int64_t>(limit, 10'000)));
      EXPECT_EQ(*kept.rbegin(), std::min<int64_t>(limit, 10'000) - 1);
    }
    std::sort(values.begin(), values.end());
  }
}

TEST(SampleReservoirTest, AnyPriorityCanBeKept) {
  SampleReservoir reservoir(3);
  reservoir.Offer(UINT64_MAX, {.start_ns = 1});
  reservoir.Offer(0, {.start_ns = 2});
  reservoir.Offer(UINT64_MAX - 1, {.start_ns = 3});
  EXPECT_EQ(Kept(reservoir), (std::set<int64_t>{1, 2, 3}));
}

TEST(SampleReservoirTest, ATraceStaysWithItsSample) {
  SampleReservoir reservoir(10);
  for (int64_t i = 0; i < 1000; ++i) {
    const TracePath trace = {{.iteration = i}};
    const auto priority = static_cast<uint64_t>((i * 7) % 1000);
    reservoir.Offer(priority, {.start_ns = i}, i % 2 == 0 ? &trace : nullptr);
  }
  ASSERT_GE(reservoir.candidates().size(), 10u);
  for (const SampleReservoir::Candidate& candidate : reservoir.candidates()) {
    ASSERT_EQ(candidate.trace != nullptr, candidate.sample.start_ns % 2 == 0);
    if (candidate.trace == nullptr) continue;
    EXPECT_EQ(*candidate.trace, (TracePath{{.iteration = candidate.sample.start_ns}}));
  }
}

}  // namespace
}  // namespace distbench
