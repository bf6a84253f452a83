// How much calibrated work a processor does in a microsecond, measured before traffic.
//
// Measured in CPU time of the thread, so that others who use the processor meanwhile do not count.
// A measurement takes some milliseconds and is repeated until two in a row agree.
#ifndef DISTBENCH_ACTIVITY_WORK_CALIBRATION_H_
#define DISTBENCH_ACTIVITY_WORK_CALIBRATION_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/activity/work_units.h"
#include "distbench/config/plan.h"

namespace distbench {

struct WorkCalibration {
  double units_per_us = 0;  // the mean of the last two measurements
  int measurements = 0;     // at least 2
  // Of the last two, relative to the smaller one. More than kMostDisagreement: they never agreed.
  double disagreement = 0;
};

inline constexpr double kMostDisagreement = 0.05;
inline constexpr int kMostMeasurements = 20;

// `cpu_ns` is the clock.
WorkCalibration Calibrate(const WorkUnits& units, const std::function<int64_t()>& cpu_ns);

// One kind of calibrated work on this machine.
struct CalibratedUnits {
  std::unique_ptr<const WorkUnits> units;  // never null
  WorkCalibration calibration;
};

// By WorkKind; null: the test has no such work.
using CalibratedWorkKinds = std::array<std::shared_ptr<const CalibratedUnits>, kWorkKinds>;

// Calibrates for the tests of a process. Those that run at the same time, on several nodes of one
// process, share what was measured for the first one; later ones are measured anew. Thread-safe.
class WorkCalibrator {
 public:
  // The kinds that activities of the plan are of. Takes no time if there is none, else some 20 ms
  // of the calling thread's, or of another's that it waits for.
  CalibratedWorkKinds Calibrate(const Plan& plan);

 private:
  absl::Mutex mutex_;
  std::array<std::weak_ptr<const CalibratedUnits>, kWorkKinds> in_use_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_WORK_CALIBRATION_H_
