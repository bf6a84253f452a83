// The calibration loop: a fixed piece of work that is none of ours, so that costs can be given as a
// multiple of it and a bound holds on a fast machine as on a slow one.
#ifndef BENCHMARKS_CALIBRATION_H_
#define BENCHMARKS_CALIBRATION_H_

namespace distbench {

// CPU time of one unit in ns: two readings of the monotonic clock and a chain of 64
// multiplications, about what an RPC cannot do without. Takes `seconds`.
double CalibrationUnitNs(double seconds);

}  // namespace distbench

#endif  // BENCHMARKS_CALIBRATION_H_
