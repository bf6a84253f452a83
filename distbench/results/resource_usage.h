// What this process has used of its machine, by getrusage(2).
//
//   const RUsage start = CurrentResourceUsage();
//   ...the test...
//   RUsageStats stats = ResourceUsageSince(start);
//
// Figures are of the whole process: nodes that share one report the same. Thread-safe.
#ifndef DISTBENCH_RESULTS_RESOURCE_USAGE_H_
#define DISTBENCH_RESULTS_RESOURCE_USAGE_H_

namespace distbench {

class RUsage;
class RUsageStats;

RUsage CurrentResourceUsage();

// `start` itself, and by how much each figure has grown since.
RUsageStats ResourceUsageSince(const RUsage& start);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RESOURCE_USAGE_H_
