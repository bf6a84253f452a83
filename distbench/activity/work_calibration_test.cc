#include "distbench/activity/work_calibration.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "distbench/activity/stop_condition.h"
#include "distbench/activity/thread_cpu_time.h"
#include "distbench/activity/work_units.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// A processor of which each run of units is as fast as a test says, and its clock.
class MadeUpProcessor final : public WorkUnits {
 public:
  // Nanoseconds of a unit; the last one stays.
  explicit MadeUpProcessor(std::vector<int64_t> unit_ns) : unit_ns_(std::move(unit_ns)) {}

  void Run(int64_t units, const StopCondition& stop) const override {
    now_ns_ += units * unit_ns_[run_];
    // While the calibration looks for how much to measure, it is as fast as at first.
    is_measured_ |= units * unit_ns_[run_] >= 5'000'000;
    if (is_measured_ && run_ + 1 < unit_ns_.size()) ++run_;
  }
  int64_t now_ns() const { return now_ns_; }

 private:
  const std::vector<int64_t> unit_ns_;
  mutable int64_t now_ns_ = 0;
  mutable size_t run_ = 0;
  mutable bool is_measured_ = false;
};

WorkCalibration CalibrationOf(const MadeUpProcessor& processor) {
  return Calibrate(processor, [&processor] { return processor.now_ns(); });
}

TEST(CalibrateTest, TwoMeasurementsThatAgreeAreEnough) {
  const WorkCalibration calibration = CalibrationOf(MadeUpProcessor({50}));
  EXPECT_EQ(calibration.measurements, 2);
  EXPECT_DOUBLE_EQ(calibration.units_per_us, 20);
  EXPECT_DOUBLE_EQ(calibration.disagreement, 0);
}

TEST(CalibrateTest, ItIsRepeatedUntilTwoInARowAgree) {
  // The first one finds how much to measure.
  const WorkCalibration calibration = CalibrationOf(MadeUpProcessor({100, 100, 80, 50, 52}));
  EXPECT_EQ(calibration.measurements, 4);
  EXPECT_DOUBLE_EQ(calibration.units_per_us, (20 + 1000.0 / 52) / 2);
  EXPECT_NEAR(calibration.disagreement, 0.04, 1e-9);
}

TEST(CalibrateTest, WhatNeverAgreesEndsAndIsTold) {
  std::vector<int64_t> unit_ns;
  for (int i = 0; i < 100; ++i) unit_ns.push_back(i % 2 == 0 ? 100 : 60);
  const WorkCalibration calibration = CalibrationOf(MadeUpProcessor(unit_ns));
  EXPECT_EQ(calibration.measurements, kMostMeasurements);
  EXPECT_GT(calibration.disagreement, kMostDisagreement);
  EXPECT_GT(calibration.units_per_us, 10);
  EXPECT_LT(calibration.units_per_us, 1000.0 / 60);
}

Plan PlanWith(WorkKind kind) {
  Plan plan;
  plan.activities.push_back({.name = "wait", .work = SleepFor{.duration_ns = 1}});
  plan.activities.push_back(
      {.name = "work", .work = CalibratedWork{.duration_ns = 1, .kind = kind}});
  return plan;
}

TEST(WorkCalibratorTest, OnlyKindsThatATestHasAreMeasured) {
  WorkCalibrator calibrator;
  const CalibratedWorkKinds kinds = calibrator.Calibrate(PlanWith(WorkKind::kCpu));
  EXPECT_EQ(kinds[static_cast<size_t>(WorkKind::kMemory)], nullptr);
  const auto& cpu = kinds[static_cast<size_t>(WorkKind::kCpu)];
  ASSERT_NE(cpu, nullptr);
  EXPECT_GT(cpu->calibration.units_per_us, 0);
  EXPECT_GE(cpu->calibration.measurements, 2);
}

TEST(WorkCalibratorTest, TestsThatRunTogetherShareACalibration) {
  WorkCalibrator calibrator;
  CalibratedWorkKinds first = calibrator.Calibrate(PlanWith(WorkKind::kCpu));
  EXPECT_EQ(calibrator.Calibrate(PlanWith(WorkKind::kCpu)), first);
  const std::weak_ptr<const CalibratedUnits> measured = first[0];
  first = {};
  EXPECT_TRUE(measured.expired()) << "the next test's is a new one";
}

TEST(WorkUnitsTest, EndAtOnceWhenNobodyWantsThem) {
  const std::atomic<int> level{1};
  const StopCondition stop(&level, 1);
  for (const WorkKind kind : {WorkKind::kCpu, WorkKind::kMemory}) {
    // Would take centuries.
    MakeWorkUnits(kind)->Run(int64_t{1} << 60, stop);
  }
  EXPECT_TRUE(stop.holds());
}

// A new thread must not find in the caches what the one before it has read.
TEST(WorkUnitsTest, ReadsOfMemoryTakeTheirTimeOnNewThreadsToo) {
  constexpr int64_t kUnits = 20'000;
  const std::unique_ptr<const WorkUnits> units = MakeWorkUnits(WorkKind::kMemory);
  const std::atomic<int> level{0};
  const StopCondition never(&level, 1);
  const auto run = [&] {
    const int64_t start_ns = ThreadCpuNs();
    units->Run(kUnits, never);
    return ThreadCpuNs() - start_ns;
  };
  std::vector<int64_t> on_one, on_new;
  for (int i = 0; i < 21; ++i) {
    on_one.push_back(run());
    std::thread([&] { on_new.push_back(run()); }).join();
  }
  const auto median = [](std::vector<int64_t>& times_ns) {
    std::nth_element(times_ns.begin(), times_ns.begin() + 10, times_ns.end());
    return times_ns[10];
  };
  // Out of the caches they take a tenth.
  EXPECT_GT(median(on_new), median(on_one) / 3);
}

}  // namespace
}  // namespace distbench
