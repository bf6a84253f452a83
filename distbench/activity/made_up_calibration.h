// For tests: calibrations that nobody measured, by which each unit takes a microsecond.
#ifndef DISTBENCH_ACTIVITY_MADE_UP_CALIBRATION_H_
#define DISTBENCH_ACTIVITY_MADE_UP_CALIBRATION_H_

#include <memory>

#include "distbench/activity/work_calibration.h"

namespace distbench {

inline CalibratedWorkKinds MadeUpCalibration() {
  CalibratedWorkKinds kinds;
  for (auto& kind : kinds) {
    auto units = std::make_shared<CalibratedUnits>();
    units->units = MakeWorkUnits(WorkKind::kCpu);
    units->calibration = {.units_per_us = 1, .measurements = 2};
    kind = std::move(units);
  }
  return kinds;
}

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_MADE_UP_CALIBRATION_H_
