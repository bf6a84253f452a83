// TrafficCounts: how many RPCs there have been so far, while traffic runs: from the recorders of a
// node's shards, or from what several nodes have told. It grows by adding only. Thread-safe.
#ifndef DISTBENCH_RESULTS_TRAFFIC_COUNTS_H_
#define DISTBENCH_RESULTS_TRAFFIC_COUNTS_H_

#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/indices.h"
#include "distbench/results/histogram.h"
#include "distbench/results/rpc_totals.h"

namespace distbench {

class RpcCounts;
class TrafficProgress;

class TrafficCounts {
 public:
  TrafficCounts() = default;
  TrafficCounts(const TrafficCounts&) = delete;
  TrafficCounts& operator=(const TrafficCounts&) = delete;

  // What one recorder has recorded of one kind of RPC.
  void Add(RpcIndex rpc, const PerOutcome<OutcomeTotals>& outcomes) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddServiceTimes(RpcIndex rpc, const LogLinearHistogram& measured_successes)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // RPCs that have not ended.
  void AddOutstanding(int64_t rpcs) ABSL_LOCKS_EXCLUDED(mutex_);

  // What somebody else has counted. An error, and nothing is added, if it contradicts itself.
  absl::Status Add(const TrafficProgress& progress) ABSL_LOCKS_EXCLUDED(mutex_);

  TrafficProgress ToProgress() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Rpc {
    explicit Rpc(HistogramPageSlab& slab) : service_time(slab) {}

    PerOutcome<OutcomeTotals> outcomes;
    LogLinearHistogram service_time;  // of measured successes
  };

  Rpc& Of(uint32_t rpc) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return rpcs_.try_emplace(rpc, slab_).first->second;
  }
  void Add(const RpcCounts& from) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  HistogramPageSlab slab_ ABSL_GUARDED_BY(mutex_);
  std::map<uint32_t, Rpc> rpcs_ ABSL_GUARDED_BY(mutex_);  // by index
  int64_t outstanding_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TRAFFIC_COUNTS_H_
