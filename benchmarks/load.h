// Load: a closed loop of RPCs between two processes, driven from here: the same few figures whether
// a bare floor or the program under test makes it.
#ifndef BENCHMARKS_LOAD_H_
#define BENCHMARKS_LOAD_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/benchmark.h"

namespace distbench {

// What both sides do.
struct LoadShape {
  int in_flight = 1;
  int64_t request_bytes = 16;
  int64_t response_bytes = 32;
};

// The part of a measurement that comes before its window, as a share of the window.
inline constexpr double kLoadWarmupShare = 0.25;

struct LoadFigures {
  double per_second = 0;
  double cpu_ns_per_rpc = 0;  // of client and server process together, in the steady window
  double median_ns = 0;       // latency; 0: not recorded
};

// Runs the load once, with a window of so many seconds.
using RunLoad = std::function<absl::StatusOr<LoadFigures>(double seconds)>;

}  // namespace distbench

#endif  // BENCHMARKS_LOAD_H_
