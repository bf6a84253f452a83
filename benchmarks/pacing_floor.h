// PacingFloor: how late this machine is for what is to happen at a fixed time, with nothing else to
// do: one thread that sleeps or spins until each start and looks at the clock.
#ifndef BENCHMARKS_PACING_FLOOR_H_
#define BENCHMARKS_PACING_FLOOR_H_

#include <cstdint>

#include "distbench/results/histogram.h"

namespace distbench {

struct PacingFloorOptions {
  int64_t interval_ns = 0;
  double seconds = 0;
};

// Sleeps by clock_nanosleep to the absolute time, with the finest timer slack. Adds each start's
// lateness in ns to `lateness`.
void MeasureSleepingFloor(const PacingFloorOptions& options, LogLinearHistogram* lateness);

// Reads the clock until it is time.
void MeasureSpinningFloor(const PacingFloorOptions& options, LogLinearHistogram* lateness);

}  // namespace distbench

#endif  // BENCHMARKS_PACING_FLOOR_H_
