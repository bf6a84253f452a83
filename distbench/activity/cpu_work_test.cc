#include "distbench/activity/cpu_work.h"

#include <time.h>

#include <atomic>
#include <set>
#include <thread>

#include "absl/synchronization/notification.h"
#include "distbench/activity/instruction_footprint.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

int64_t CpuNs() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int64_t CpuNsOf(const ActivityWork& work, int iterations) {
  const auto cpu_work = MakeCpuWork(work);
  const int64_t start_ns = CpuNs();
  for (int i = 0; i < iterations; ++i) cpu_work->RunOnce(StopCondition());
  return CpuNs() - start_ns;
}

TEST(CpuWorkTest, SpinForTakesItsTimeOnTheCpu) {
  const int64_t taken_ns = CpuNsOf(SpinFor{.duration_ns = 20'000'000}, 3);
  EXPECT_GE(taken_ns, 60'000'000);
  EXPECT_LT(taken_ns, 66'000'000);
}

TEST(CpuWorkTest, LargerWorkTakesLonger) {
  EXPECT_GT(CpuNsOf(ConsumeCpu{.array_size = 100'000}, 10),
            20 * CpuNsOf(ConsumeCpu{.array_size = 1'000}, 10));
  EXPECT_GT(
      CpuNsOf(PolluteDataCache{.array_size = 1000, .array_reads_per_iteration = 1'000'000}, 3),
      20 * CpuNsOf(PolluteDataCache{.array_size = 1000, .array_reads_per_iteration = 10'000}, 3));
  EXPECT_GT(CpuNsOf(PolluteInstructionCache{.function_invocations_per_iteration = 1'000'000}, 3),
            20 * CpuNsOf(PolluteInstructionCache{.function_invocations_per_iteration = 10'000}, 3));
}

TEST(CpuWorkTest, LongWorkEndsWhenItIsToldTo) {
  std::atomic<int> level{0};
  const StopCondition stop(&level, 2);
  const ActivityWork forever[] = {
      SpinFor{.duration_ns = 1'000'000'000'000'000},
      PolluteDataCache{.array_size = 1000, .array_reads_per_iteration = 1'000'000'000'000},
      PolluteInstructionCache{.function_invocations_per_iteration = 1'000'000'000'000}};
  for (const ActivityWork& work : forever) {
    level = 1;
    EXPECT_FALSE(stop.holds());
    std::atomic<bool> has_ended{false};
    absl::Notification begun;
    std::thread worker([&] {
      const auto cpu_work = MakeCpuWork(work);
      begun.Notify();
      cpu_work->RunOnce(stop);
      has_ended = true;
    });
    begun.WaitForNotification();
    EXPECT_FALSE(has_ended.load());  // it would take days
    level = 2;
    worker.join();
    EXPECT_TRUE(has_ended.load());
  }
}

TEST(CpuWorkTest, SleepingNeedsNoCpuAndWaitingIsNotCounted) {
  EXPECT_FALSE(NeedsCpu(SleepFor{}));
  EXPECT_TRUE(NeedsCpu(SpinFor{}));
  EXPECT_FALSE(CountsIterations(SleepFor{}));
  EXPECT_FALSE(CountsIterations(SpinFor{}));
  EXPECT_TRUE(CountsIterations(ConsumeCpu{}));
  EXPECT_TRUE(CountsIterations(PolluteDataCache{}));
  EXPECT_TRUE(CountsIterations(PolluteInstructionCache{}));
}

TEST(InstructionFootprintTest, IsLargerThanTheInstructionCacheAndAllDifferent) {
  EXPECT_GE(FootprintBytes(), size_t{256} << 10);
  std::set<uint64_t> results;
  for (size_t i = 0; i < kFootprintFunctions; ++i) results.insert(CallFootprintFunction(i, 12345));
  EXPECT_EQ(results.size(), kFootprintFunctions);
}

}  // namespace
}  // namespace distbench
