#include "distbench/results/sample_store.h"

#include <signal.h>
#include <sys/resource.h>

#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr auto kChunkBytes = static_cast<int64_t>(SampleStore::kChunkBytes);

// A chunk full of one byte.
SampleStore::Chunk Filled(SampleStore& store, int byte) {
  SampleStore::Chunk chunk = store.Take();
  std::memset(chunk.get(), byte, SampleStore::kChunkBytes);
  return chunk;
}

// Releases what was put when the test ends.
class SampleStoreTest : public ::testing::Test {
 protected:
  bool Put(SampleStore& store, int byte) {
    SampleStore::Chunk chunk = Filled(store, byte);
    SampleStore::Stored stored;
    const bool done = store.Put(chunk, &stored);
    EXPECT_EQ(done, chunk == nullptr);
    if (done) stored_.push_back(std::move(stored));
    return done;
  }
  void ExpectHolds(SampleStore& store, size_t position, int byte) {
    SampleStore::Chunk chunk = Filled(store, ~byte);
    ASSERT_TRUE(store.Read(stored_[position], chunk.get()).ok());
    for (size_t i = 0; i < SampleStore::kChunkBytes; ++i) {
      ASSERT_EQ(chunk[i], static_cast<std::byte>(byte)) << "byte " << i;
    }
  }
  void ReleaseAll(SampleStore& store) { store.Release(std::exchange(stored_, {})); }

  std::vector<SampleStore::Stored> stored_;
};

TEST_F(SampleStoreTest, WhatWasReleasedIsTakenAgain) {
  SampleStore store;
  SampleStore::Chunk chunk = store.Take();
  const std::byte* const address = chunk.get();
  EXPECT_EQ(store.free_bytes(), 0);
  store.Release(std::move(chunk));
  EXPECT_EQ(store.free_bytes(), kChunkBytes);
  EXPECT_EQ(store.Take().get(), address);
  EXPECT_EQ(store.free_bytes(), 0);
}

TEST_F(SampleStoreTest, NoMoreIsKeptFreeThanTheBudget) {
  SampleStore store({.memory_bytes = 2 * kChunkBytes});
  std::vector<SampleStore::Chunk> chunks;
  for (int i = 0; i < 5; ++i) chunks.push_back(store.Take());
  for (SampleStore::Chunk& chunk : chunks) store.Release(std::move(chunk));
  EXPECT_EQ(store.free_bytes(), 2 * kChunkBytes);
}

TEST_F(SampleStoreTest, BeyondTheBudgetChunksGoToTheFileAndComeBack) {
  SampleStore store({.memory_bytes = 2 * kChunkBytes, .folder = ::testing::TempDir()});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Put(store, i));
  EXPECT_EQ(store.file_bytes(), 8 * kChunkBytes);
  for (size_t i = 0; i < 10; ++i) ExpectHolds(store, i, static_cast<int>(i));
  ReleaseAll(store);
  EXPECT_EQ(store.file_bytes(), 0);
}

TEST_F(SampleStoreTest, AnEmptiedFileIsFilledAnew) {
  SampleStore store({.memory_bytes = 0, .folder = ::testing::TempDir()});
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(Put(store, 10 * round + i));
    EXPECT_EQ(stored_.back().position, 4 * kChunkBytes);
    for (size_t i = 0; i < 5; ++i) ExpectHolds(store, i, 10 * round + static_cast<int>(i));
    ReleaseAll(store);
  }
}

TEST_F(SampleStoreTest, WithoutAFolderNothingGoesBeyondTheBudget) {
  SampleStore store({.memory_bytes = kChunkBytes});
  EXPECT_TRUE(Put(store, 1));
  EXPECT_FALSE(Put(store, 2));
  EXPECT_TRUE(store.status().ok());
  ReleaseAll(store);
  EXPECT_TRUE(Put(store, 3));
  ReleaseAll(store);
}

// As a full disk: nothing may be written beyond a limit.
TEST_F(SampleStoreTest, AFullDiskLosesWhatCouldNotBeWrittenAndNothingElse) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto former_handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {.rlim_cur = 2 * SampleStore::kChunkBytes, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  SampleStore store({.memory_bytes = 0, .folder = ::testing::TempDir()});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Put(store, i));
  ExpectHolds(store, 0, 0);
  ExpectHolds(store, 1, 1);
  SampleStore::Chunk chunk = store.Take();
  const absl::Status lost = store.Read(stored_[2], chunk.get());
  EXPECT_TRUE(absl::IsResourceExhausted(lost));
  EXPECT_TRUE(absl::StrContains(lost.message(), "File too large; make room there"));
  EXPECT_EQ(store.status(), lost);
  EXPECT_FALSE(Put(store, 3)) << "nothing more is taken";
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, former_handler);

  ReleaseAll(store);
  EXPECT_TRUE(store.status().ok()) << "the next test tries anew";
  EXPECT_TRUE(Put(store, 4));
  ExpectHolds(store, 0, 4);
  ReleaseAll(store);
}

TEST_F(SampleStoreTest, AFolderThatIsNotThereIsToldWithTheRemedy) {
  SampleStore store({.memory_bytes = 0, .folder = "/no/such/folder"});
  EXPECT_FALSE(Put(store, 1));
  EXPECT_TRUE(absl::IsResourceExhausted(store.status()));
  EXPECT_TRUE(absl::StrContains(store.status().message(), "/no/such/folder"));
  EXPECT_TRUE(absl::StrContains(store.status().message(), "--sample_folder"));
}

}  // namespace
}  // namespace distbench
