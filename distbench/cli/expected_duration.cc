#include "distbench/cli/expected_duration.h"

#include <algorithm>
#include <cstdint>

#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

absl::Duration TimeLimit(const Iterations& iterations) {
  if (iterations.has_max_duration_us_64()) {
    return absl::Microseconds(iterations.max_duration_us_64());
  }
  if (iterations.has_max_duration_us()) return absl::Microseconds(iterations.max_duration_us());
  return absl::InfiniteDuration();
}

absl::Duration TimeOfAllIterations(const Iterations& iterations) {
  // Nothing else says how fast they follow each other.
  if (!iterations.has_open_loop_interval_ns() || iterations.rate_steps_size() > 0) {
    return absl::InfiniteDuration();
  }
  const absl::Duration interval = absl::Nanoseconds(iterations.open_loop_interval_ns());
  if (iterations.has_max_iteration_count_64()) {
    return interval * iterations.max_iteration_count_64();
  }
  if (iterations.has_max_iteration_count()) return interval * iterations.max_iteration_count();
  return absl::InfiniteDuration();
}

}  // namespace

absl::Duration ExpectedDuration(const DistributedSystemDescription& test) {
  absl::Duration longest = absl::ZeroDuration();
  for (const Action& action : test.actions()) {
    if (!action.has_iterations()) continue;
    const absl::Duration limit =
        std::min(TimeLimit(action.iterations()), TimeOfAllIterations(action.iterations()));
    if (limit != absl::InfiniteDuration()) longest = std::max(longest, limit);
  }
  return longest;
}

}  // namespace distbench
