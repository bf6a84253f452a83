#include "distbench/base/spin_lock.h"

#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(SpinLockTest, OnlyOneThreadAtATimeIsWithin) {
  constexpr int kThreads = 4;
  constexpr int64_t kRounds = 20'000;
  SpinLock lock;
  int64_t first = 0, second = 0;  // equal whenever the lock is free
  int64_t torn = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int64_t round = 0; round < kRounds; ++round) {
        SpinLockHolder holder(&lock);
        if (first != second) ++torn;
        ++first;
        if (round % 1000 == 0) std::this_thread::yield();
        ++second;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(first, kThreads * kRounds);
  EXPECT_EQ(second, kThreads * kRounds);
}

}  // namespace
}  // namespace distbench
