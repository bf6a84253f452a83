#include "distbench/activity/cpu_work.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>

#include "absl/synchronization/notification.h"
#include "distbench/activity/instruction_footprint.h"
#include "distbench/activity/thread_cpu_time.h"
#include "distbench/activity/work_calibration.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

int64_t CpuNsOf(const ActivityWork& work, int iterations) {
  const auto cpu_work = MakeCpuWork(work, {});
  const int64_t start_ns = ThreadCpuNs();
  for (int i = 0; i < iterations; ++i) cpu_work->RunOnce(StopCondition());
  return ThreadCpuNs() - start_ns;
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
      const auto cpu_work = MakeCpuWork(work, {});
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

// Counts what it is asked for.
class CountedUnits final : public WorkUnits {
 public:
  explicit CountedUnits(int64_t* count) : count_(count) {}
  void Run(int64_t units, const StopCondition& stop) const override { *count_ += units; }

 private:
  int64_t* const count_;
};

TEST(CpuWorkTest, CalibratedWorkIsAsMuchAsFitsIntoItsTime) {
  int64_t count = 0;
  auto units = std::make_shared<CalibratedUnits>();
  units->units = std::make_unique<CountedUnits>(&count);
  units->calibration.units_per_us = 20.5;
  CalibratedWorkKinds kinds;
  kinds[static_cast<size_t>(WorkKind::kMemory)] = units;
  const auto work =
      MakeCpuWork(CalibratedWork{.duration_ns = 10'000'000, .kind = WorkKind::kMemory}, kinds);
  work->RunOnce(StopCondition());
  EXPECT_EQ(count, 205'000);
  work->RunOnce(StopCondition());
  EXPECT_EQ(count, 410'000);
}

TEST(CpuWorkTest, SleepingNeedsNoCpuAndWaitingIsNotCounted) {
  EXPECT_FALSE(NeedsCpu(SleepFor{}));
  EXPECT_TRUE(NeedsCpu(SpinFor{}));
  EXPECT_FALSE(CountsIterations(SleepFor{}));
  EXPECT_FALSE(CountsIterations(SpinFor{}));
  EXPECT_TRUE(CountsIterations(ConsumeCpu{}));
  EXPECT_TRUE(CountsIterations(PolluteDataCache{}));
  EXPECT_TRUE(CountsIterations(PolluteInstructionCache{}));
  EXPECT_TRUE(NeedsCpu(CalibratedWork{}));
  EXPECT_TRUE(CountsIterations(CalibratedWork{}));
}

TEST(InstructionFootprintTest, IsLargerThanTheInstructionCacheAndAllDifferent) {
  EXPECT_GE(FootprintBytes(), size_t{256} << 10);
  std::set<uint64_t> results;
  for (size_t i = 0; i < kFootprintFunctions; ++i) results.insert(CallFootprintFunction(i, 12345));
  EXPECT_EQ(results.size(), kFootprintFunctions);
}

}  // namespace
}  // namespace distbench
