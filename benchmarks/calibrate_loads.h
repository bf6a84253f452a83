// Finds the fastest of several ways to run a load.
#ifndef BENCHMARKS_CALIBRATE_LOADS_H_
#define BENCHMARKS_CALIBRATE_LOADS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/load.h"

namespace distbench {

struct LoadCandidate {
  std::string name;
  RunLoad run;
};

struct Calibration {
  size_t best = 0;                 // position of the candidate with the highest median rate
  std::vector<std::string> notes;  // what each gave, and which was taken
};

// Runs all candidates in turn, a few rounds of them, for `seconds` each time. Requires: there is a
// candidate.
absl::StatusOr<Calibration> CalibrateLoads(const std::vector<LoadCandidate>& candidates,
                                           double seconds);

}  // namespace distbench

#endif  // BENCHMARKS_CALIBRATE_LOADS_H_
