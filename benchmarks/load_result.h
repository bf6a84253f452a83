// LoadResult: what a client of a closed loop has seen in its steady window, and its form on a line,
// by which a process tells another one.
#ifndef BENCHMARKS_LOAD_RESULT_H_
#define BENCHMARKS_LOAD_RESULT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace distbench {

struct LoadResult {
  int64_t rpcs = 0;           // that began in the window and succeeded
  int64_t start_wall_ns = 0;  // the first of them began, since the epoch
  int64_t end_wall_ns = 0;    // the last of them ended
  int64_t median_ns = 0;      // of their latencies; 0: not recorded
  int64_t failures = 0;       // RPCs that failed, whenever they began

  double per_second() const {
    return static_cast<double>(rpcs) * 1e9 / static_cast<double>(end_wall_ns - start_wall_ns);
  }
};

std::string ToLine(const LoadResult& result);

// An error if `line` is no line of ToLine(), any RPC failed, or nothing was measured.
absl::StatusOr<LoadResult> ParseLoadResult(const std::string& line);

}  // namespace distbench

#endif  // BENCHMARKS_LOAD_RESULT_H_
