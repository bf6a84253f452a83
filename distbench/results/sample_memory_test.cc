#include "distbench/results/sample_memory.h"

#include <utility>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(SampleMemoryTest, WhatWasReturnedIsTakenAgain) {
  SampleMemory memory;
  SampleMemory::Chunk chunk = memory.Take();
  const std::byte* const address = chunk.get();
  EXPECT_EQ(memory.kept_bytes(), 0);
  std::vector<SampleMemory::Chunk> chunks;
  chunks.push_back(std::move(chunk));
  memory.Return(std::move(chunks));
  EXPECT_EQ(memory.kept_bytes(), static_cast<int64_t>(SampleMemory::kChunkBytes));
  EXPECT_EQ(memory.Take().get(), address);
  EXPECT_EQ(memory.kept_bytes(), 0);
}

TEST(SampleMemoryTest, NoMoreIsKeptThanTheLimit) {
  SampleMemory memory(2 * SampleMemory::kChunkBytes);
  std::vector<SampleMemory::Chunk> chunks;
  for (int i = 0; i < 5; ++i) chunks.push_back(memory.Take());
  memory.Return(std::move(chunks));
  EXPECT_EQ(memory.kept_bytes(), static_cast<int64_t>(2 * SampleMemory::kChunkBytes));
}

}  // namespace
}  // namespace distbench
