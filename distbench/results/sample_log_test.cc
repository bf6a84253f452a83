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

void ExpectHolds(const SampleLog& log, const std::vector<Sample>& samples) {
  SampleLog::Reader reader(log);
  size_t next = 0;
  Sample sample;
  while (reader.Next(&sample)) {
    ASSERT_LT(next, samples.size());
    ASSERT_EQ(Fields(sample), Fields(samples[next])) << "sample " << next;
    ++next;
  }
  EXPECT_EQ(next, samples.size());
  EXPECT_TRUE(reader.status().ok()) << reader.status();
}

void ExpectReadAsWritten(const std::vector<Sample>& samples) {
  SampleStore store;
  SampleLog log(&store, static_cast<int64_t>(samples.size()));
  for (const Sample& sample : samples) ASSERT_TRUE(log.Append(sample));
  ExpectHolds(log, samples);
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
  SampleStore store;
  SampleLog log(&store, 1'000'000);
  for (const Sample& sample : SteadySamples(10'000)) log.Append(sample);
  // The first one says its start and its sizes; two words at the end of a chunk may stay empty.
  EXPECT_EQ(log.size_bytes(), 10'000u * 16 + 2 * 16 + 3 * 2 * 16);
}

// A way of `hops` steps, of which no two figures are the same.
TracePath Way(size_t hops) {
  TracePath trace;
  for (size_t i = 0; i < hops; ++i) {
    const auto figure = static_cast<int64_t>(i) * 6 + (int64_t{1} << 40);
    trace.push_back({.engine_id = figure,
                     .list_index = figure + 1,
                     .list_invocation = figure + 2,
                     .action_index = figure + 3,
                     .iteration = figure + 4,
                     .fanout_index = -figure});
  }
  return trace;
}

void ExpectTracesStay(SampleStore& store) {
  std::mt19937_64 random(7);
  SampleLog log(&store, 1'000'000);
  const std::vector<Sample> samples = SteadySamples(20'000);
  std::vector<size_t> hops;
  for (const Sample& sample : samples) {
    hops.push_back(random() % 4 == 0 ? 1 + random() % kMostTraceHops : 0);
    const bool is_kept =
        hops.back() == 0 ? log.Append(sample) : log.AppendTraced(sample, Way(hops.back()));
    ASSERT_TRUE(is_kept);
  }
  EXPECT_EQ(log.size(), samples.size());
  SampleLog::Reader reader(log);
  Sample sample;
  for (size_t i = 0; i < samples.size(); ++i) {
    ASSERT_TRUE(reader.Next(&sample)) << i;
    ASSERT_EQ(Fields(sample), Fields(samples[i])) << i;
    ASSERT_EQ(reader.trace(), Way(hops[i])) << i;
  }
  EXPECT_FALSE(reader.Next(&sample));
}

TEST(SampleLogTest, ATraceStaysWithItsSample) {
  SampleStore memory;
  ExpectTracesStay(memory);
  SampleStore file({.memory_bytes = 0, .folder = ::testing::TempDir()});
  ExpectTracesStay(file);
}

TEST(SampleLogTest, TheLongestTraceMayComeFirst) {
  SampleStore store;
  SampleLog log(&store, 1);
  ASSERT_TRUE(log.AppendTraced({.start_ns = 5}, Way(kMostTraceHops)));
  EXPECT_FALSE(log.AppendTraced({.start_ns = 6}, Way(1)));
  SampleLog::Reader reader(log);
  Sample sample;
  ASSERT_TRUE(reader.Next(&sample));
  EXPECT_EQ(reader.trace(), Way(kMostTraceHops));
  EXPECT_FALSE(reader.Next(&sample));
}

TEST(SampleLogTest, LeavesItsMemoryToTheNextLog) {
  SampleStore store;
  const auto fill = [&store] {
    SampleLog log(&store, 1'000'000);
    for (const Sample& sample : SteadySamples(10'000)) log.Append(sample);
    EXPECT_EQ(store.free_bytes(), 0);
  };
  fill();
  EXPECT_EQ(store.free_bytes(), static_cast<int64_t>(3 * SampleStore::kChunkBytes));
  fill();
  EXPECT_EQ(store.free_bytes(), static_cast<int64_t>(3 * SampleStore::kChunkBytes));
}

TEST(SampleLogTest, LeavesOutWhatIsBeyondTheLimit) {
  SampleStore store;
  SampleLog log(&store, 2);
  EXPECT_TRUE(log.Append({.start_ns = 1}));
  EXPECT_TRUE(log.Append({.start_ns = 2}));
  EXPECT_FALSE(log.Append({.start_ns = 3}));
  EXPECT_EQ(log.size(), 2u);
}

TEST(SampleLogTest, WhatIsInTheFileIsReadAsWritten) {
  SampleStore store({.memory_bytes = 0, .folder = ::testing::TempDir()});
  const std::vector<Sample> samples = SteadySamples(50'000);
  SampleLog log(&store, 1'000'000);
  for (const Sample& sample : samples) ASSERT_TRUE(log.Append(sample));
  // All but the first chunk and the one that is being filled.
  EXPECT_EQ(store.file_bytes(), static_cast<int64_t>(12 * SampleStore::kChunkBytes));
  ExpectHolds(log, samples);
}

TEST(SampleLogTest, PartlyInMemoryAndPartlyInTheFileIsOneLog) {
  SampleStore store({.memory_bytes = 5 * SampleStore::kChunkBytes, .folder = ::testing::TempDir()});
  const std::vector<Sample> samples = SteadySamples(50'000);
  SampleLog log(&store, 1'000'000);
  for (const Sample& sample : samples) ASSERT_TRUE(log.Append(sample));
  EXPECT_EQ(store.file_bytes(), static_cast<int64_t>(7 * SampleStore::kChunkBytes));
  ExpectHolds(log, samples);
}

TEST(SampleLogTest, WithoutRoomWhatComesIsLeftOutAndWhatWasKeptStays) {
  SampleStore store({.memory_bytes = SampleStore::kChunkBytes});
  const std::vector<Sample> samples = SteadySamples(20'000);
  SampleLog log(&store, 1'000'000);
  for (const Sample& sample : samples) log.Append(sample);
  ASSERT_LT(log.size(), samples.size());
  ASSERT_GT(log.size(), 8'000u);
  ExpectHolds(log, std::vector<Sample>(samples.begin(), samples.begin() + log.size()));
}

}  // namespace
}  // namespace distbench
