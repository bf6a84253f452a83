#include "distbench/results/sample_log.h"

#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

auto Fields(const Sample& sample) {
  return std::tuple(sample.start_ns, sample.latency_ns, sample.latency_weight_ns,
                    sample.request_bytes, sample.response_bytes, sample.pair, sample.error,
                    sample.warmup);
}

void ExpectReadAsWritten(const std::vector<Sample>& samples) {
  SampleMemory memory;
  SampleLog log(&memory, static_cast<int64_t>(samples.size()));
  for (const Sample& sample : samples) ASSERT_TRUE(log.Append(sample));
  size_t next = 0;
  log.ForEach([&](const Sample& sample) {
    ASSERT_LT(next, samples.size());
    ASSERT_EQ(Fields(sample), Fields(samples[next])) << "sample " << next;
    ++next;
  });
  EXPECT_EQ(next, samples.size());
}

// A steady load: ends a microsecond apart.
std::vector<Sample> SteadySamples(size_t count) {
  std::vector<Sample> samples;
  for (size_t i = 0; i < count; ++i) {
    samples.push_back({.start_ns = 1'000'000'000'000 + static_cast<int64_t>(i) * 1000,
                       .latency_ns = 100'000,
                       .latency_weight_ns = 101'000,
                       .request_bytes = 16,
                       .response_bytes = 32});
  }
  return samples;
}

TEST(SampleLogTest, SamplesAreReadAsWrittenOverManyChunks) {
  ExpectReadAsWritten(SteadySamples(20'000));
}

TEST(SampleLogTest, SamplesOfAllKindsMayBeMixed) {
  std::mt19937_64 random(1);
  const auto any_magnitude = [&] { return static_cast<int64_t>(random() >> (2 + random() % 62)); };
  std::vector<Sample> samples;
  for (int i = 0; i < 50'000; ++i) {
    samples.push_back({.start_ns = any_magnitude() / 2,
                       .latency_ns = any_magnitude() / 2,
                       .latency_weight_ns = any_magnitude() - 1'000,
                       .request_bytes = static_cast<int64_t>(random() % 3),
                       .response_bytes = any_magnitude(),
                       .pair = static_cast<uint32_t>(random() % 5 == 0 ? random() % 1000 : 0),
                       .error = static_cast<uint32_t>(random() % 10 == 0 ? random() : 0),
                       .warmup = random() % 2 == 0});
  }
  ExpectReadAsWritten(samples);
}

TEST(SampleLogTest, TimesAtTheEdgeOfACompactSampleAreExact) {
  constexpr int64_t kEdge = int64_t{1} << 32;
  std::vector<Sample> samples = {{.start_ns = kEdge}};
  for (const int64_t edge : {kEdge - 1, kEdge, int64_t{-1}, int64_t{0}}) {
    samples.push_back({.start_ns = samples.back().start_ns, .latency_ns = edge});
    samples.push_back({.start_ns = samples.back().start_ns, .latency_weight_ns = edge});
    samples.push_back({.start_ns = samples.back().start_ns + edge});
  }
  ExpectReadAsWritten(samples);
}

TEST(SampleLogTest, ASampleOfASteadyLoadTakesSixteenBytes) {
  SampleMemory memory;
  SampleLog log(&memory, 1'000'000);
  for (const Sample& sample : SteadySamples(10'000)) log.Append(sample);
  // The first one says its start and its sizes.
  EXPECT_EQ(log.memory_bytes(), 10'000u * 16 + 2 * 16);
}

TEST(SampleLogTest, LeavesItsMemoryToTheNextLog) {
  SampleMemory memory;
  const auto fill = [&memory] {
    SampleLog log(&memory, 1'000'000);
    for (const Sample& sample : SteadySamples(10'000)) log.Append(sample);
    EXPECT_EQ(memory.kept_bytes(), 0);
  };
  fill();
  EXPECT_EQ(memory.kept_bytes(), static_cast<int64_t>(3 * SampleMemory::kChunkBytes));
  fill();
  EXPECT_EQ(memory.kept_bytes(), static_cast<int64_t>(3 * SampleMemory::kChunkBytes));
}

TEST(SampleLogTest, LeavesOutWhatIsBeyondTheLimit) {
  SampleMemory memory;
  SampleLog log(&memory, 2);
  EXPECT_TRUE(log.Append({.start_ns = 1}));
  EXPECT_TRUE(log.Append({.start_ns = 2}));
  EXPECT_FALSE(log.Append({.start_ns = 3}));
  EXPECT_EQ(log.size(), 2u);
}

}  // namespace
}  // namespace distbench
