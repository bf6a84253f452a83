#include "distbench/activity/work_calibration.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "distbench/activity/thread_cpu_time.h"

namespace distbench {
namespace {

constexpr int64_t kMeasurementNs = 5'000'000;
constexpr int64_t kFirstUnits = 1'000;

int64_t TimeOf(const WorkUnits& units, int64_t count, const std::function<int64_t()>& cpu_ns) {
  const int64_t start_ns = cpu_ns();
  units.Run(count, StopCondition());
  return std::max<int64_t>(cpu_ns() - start_ns, 1);
}

}  // namespace

WorkCalibration Calibrate(const WorkUnits& units, const std::function<int64_t()>& cpu_ns) {
  // So much that a measurement is long against the clock's steps; by then caches are warm and the
  // processor has left its idle states.
  int64_t count = kFirstUnits;
  while (TimeOf(units, count, cpu_ns) < kMeasurementNs) count *= 2;
  const auto measure = [&] {
    return static_cast<double>(count) * 1000 / static_cast<double>(TimeOf(units, count, cpu_ns));
  };
  WorkCalibration calibration;
  double before = measure();
  calibration.measurements = 1;
  do {
    const double now = measure();
    ++calibration.measurements;
    calibration.units_per_us = (before + now) / 2;
    calibration.disagreement = std::max(before, now) / std::min(before, now) - 1;
    before = now;
  } while (calibration.disagreement > kMostDisagreement &&
           calibration.measurements < kMostMeasurements);
  return calibration;
}

CalibratedWorkKinds WorkCalibrator::Calibrate(const Plan& plan) {
  CalibratedWorkKinds kinds;
  absl::MutexLock lock(&mutex_);
  for (const ActivityPlan& activity : plan.activities) {
    const auto* work = std::get_if<CalibratedWork>(&activity.work);
    if (work == nullptr) continue;
    const auto kind = static_cast<size_t>(work->kind);
    if (kinds[kind] == nullptr) kinds[kind] = in_use_[kind].lock();
    if (kinds[kind] != nullptr) continue;
    auto measured = std::make_shared<CalibratedUnits>();
    measured->units = MakeWorkUnits(work->kind);
    measured->calibration = distbench::Calibrate(*measured->units, ThreadCpuNs);
    in_use_[kind] = kinds[kind] = std::move(measured);
  }
  return kinds;
}

}  // namespace distbench
