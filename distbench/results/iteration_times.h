// IterationTimes: how long the iterations of one action took; and the message IterationStatistics,
// written from them and read back. A message may come from anywhere: nothing in it counts before it
// was checked. Not thread-safe.
#ifndef DISTBENCH_RESULTS_ITERATION_TIMES_H_
#define DISTBENCH_RESULTS_ITERATION_TIMES_H_

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/results/histogram.h"

namespace distbench {

class IterationStatistics;
class ServicePerformanceLog;

struct IterationTimes {
  // `slab` outlives this.
  explicit IterationTimes(HistogramPageSlab& slab) : service_time(slab), response_time(slab) {}
  void Merge(const IterationTimes& other);

  LogLinearHistogram service_time;   // first start -> last end
  LogLinearHistogram response_time;  // intended start -> last end; open loops only
};

// By list and action, in the order of the plan.
using IterationTimesByAction = std::map<std::pair<ListIndex, ActionIndex>, IterationTimes>;

// Adds a message for each action. `plan` names them.
void WriteIterationTimes(const IterationTimesByAction& times, const Plan& plan,
                         ServicePerformanceLog& log);

// Whether both histograms of `message` are sound and no more response times than service times are
// counted; an error names the field.
absl::Status CheckIterationTimes(const IterationStatistics& message);

// Adds what `message` counts. An error leaves `times` as it was.
absl::Status MergeIterationTimes(const IterationStatistics& message, IterationTimes& times);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_ITERATION_TIMES_H_
