// ServedTimes: how long requests of one RPC waited at their server, and how long they were handled;
// and the message ServedRpcStatistics, written from them and read back. A message may come from
// anywhere: nothing in it counts before it was checked. Not thread-safe.
#ifndef DISTBENCH_RESULTS_SERVED_TIMES_H_
#define DISTBENCH_RESULTS_SERVED_TIMES_H_

#include "absl/status/status.h"
#include "distbench/results/histogram.h"

namespace distbench {

class ServedRpcStatistics;

struct ServedTimes {
  // `slab` outlives this.
  explicit ServedTimes(HistogramPageSlab& slab) : queue_time(slab), handler_time(slab) {}
  void Merge(const ServedTimes& other);

  // Both count the same requests.
  LogLinearHistogram queue_time;    // the driver had the request -> handling began
  LogLinearHistogram handler_time;  // handling began -> the driver was given the response
};

void WriteServedTimes(const ServedTimes& times, ServedRpcStatistics& message);

// Whether both histograms of `message` are sound and count as many requests; an error names the
// field.
absl::Status CheckServedTimes(const ServedRpcStatistics& message);

// Adds what `message` counts. An error leaves `times` as it was.
absl::Status MergeServedTimes(const ServedRpcStatistics& message, ServedTimes& times);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SERVED_TIMES_H_
