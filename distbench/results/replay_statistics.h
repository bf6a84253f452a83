// ReplayStatistics: checked, and made up for logs of other programs, which have samples of replayed
// RPCs only. Pure.
#ifndef DISTBENCH_RESULTS_REPLAY_STATISTICS_H_
#define DISTBENCH_RESULTS_REPLAY_STATISTICS_H_

#include <vector>

#include "absl/status/status.h"

namespace distbench {

class ReplayStatistics;
class ServicePerformanceLog;

// An error names the field that contradicts itself.
absl::Status CheckReplay(const ReplayStatistics& replay);

// Of the traces in the log that have samples but no statistics, as far as samples tell.
std::vector<ReplayStatistics> ReplaysKnownBySamples(const ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_REPLAY_STATISTICS_H_
