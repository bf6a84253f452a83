#include "distbench/engine/iteration_claims.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(IterationClaimsTest, OneLaneOfWidthOneGetsEveryNumberInOrder) {
  IterationClaims claims;
  claims.Reset(5, 1);
  for (int64_t i = 0; i < 5; ++i) {
    const IterationClaims::Batch batch = claims.Claim(1);
    EXPECT_EQ(batch.next, i);
    EXPECT_EQ(batch.end, i + 1);
  }
  EXPECT_TRUE(claims.Claim(1).empty());
}

TEST(IterationClaimsTest, ThreadsTogetherGetEachNumberExactlyOnce) {
  constexpr int64_t kCount = 100'003;
  constexpr int kLanes = 4;
  IterationClaims claims;
  claims.Reset(kCount, kLanes);
  std::vector<std::vector<int64_t>> claimed(kLanes);
  std::vector<std::thread> threads;
  for (int lane = 0; lane < kLanes; ++lane) {
    threads.emplace_back([&claims, &mine = claimed[lane]] {
      for (auto batch = claims.Claim(32); !batch.empty(); batch = claims.Claim(32)) {
        for (int64_t i = batch.next; i < batch.end; ++i) mine.push_back(i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int64_t> all;
  for (const auto& mine : claimed) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), static_cast<size_t>(kCount));
  for (int64_t i = 0; i < kCount; ++i) ASSERT_EQ(all[i], i);
}

TEST(IterationClaimsTest, NoLaneSitsOnNumbersThatAnotherCouldRunNearTheEnd) {
  IterationClaims claims;
  claims.Reset(100, 2);
  int64_t last_size = 64;
  for (auto batch = claims.Claim(50); !batch.empty(); batch = claims.Claim(50)) {
    const int64_t left_before = 100 - batch.next;
    EXPECT_LE(batch.end - batch.next, std::max<int64_t>(1, left_before / 4));
    last_size = batch.end - batch.next;
  }
  EXPECT_EQ(last_size, 1);
}

TEST(IterationClaimsTest, WithoutALimitThereAreAlwaysMore) {
  IterationClaims claims;
  claims.Reset(std::nullopt, 1);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(claims.Claim(100).empty());
}

}  // namespace
}  // namespace distbench
