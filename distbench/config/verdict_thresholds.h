// VerdictThresholds: what a test's figures are held against when it is judged. The defaults are
// those of the message VerdictLimits, by which a config sets others.
//
// Whatever reaches a threshold exactly is still fair; only what is beyond it is not.
#ifndef DISTBENCH_CONFIG_VERDICT_THRESHOLDS_H_
#define DISTBENCH_CONFIG_VERDICT_THRESHOLDS_H_

#include <cstdint>

namespace distbench {

struct VerdictThresholds {
  double max_missed_load = 0.01;               // of the RPCs that were due
  double max_lateness = 0.1;                   // 99 % of lateness, of response time or interval
  double max_cpu_use = 0.95;                   // of the CPU seconds that there are
  int64_t max_start_skew_ns = 10'000'000;      // early or late
  double max_clock_error = 0.01;               // of the test's time
  double noted_lateness = 0.02;                // as max_lateness, for the advice on pacing
  int64_t max_wakeup_lateness_ns = 1'000'000;  // more than that has another cause
  int64_t min_rpcs_beyond_percentile = 10;

  friend bool operator==(const VerdictThresholds&, const VerdictThresholds&) = default;
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_VERDICT_THRESHOLDS_H_
