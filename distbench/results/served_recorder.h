// ServedRecorder: the times that a server spends on the requests that arrive on one shard.
//
//   driver has the request         handling begins          response given to the driver
//            |------- queue time -------|------ handler time ------|
//
// A request is answered on whatever thread finishes it: a task of the shard, an event loop of the
// driver, or a thread of the driver's pool. Where the event loop is the shard's own, which is the
// rule, nobody else wants the lock, and it is held for some nanoseconds.
//
// Thread-safe. Recording allocates only at the first sight of an RPC and of a magnitude of its
// times.
#ifndef DISTBENCH_RESULTS_SERVED_RECORDER_H_
#define DISTBENCH_RESULTS_SERVED_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "distbench/base/indices.h"
#include "distbench/base/spin_lock.h"
#include "distbench/results/histogram.h"
#include "distbench/results/served_times.h"

namespace distbench {

class ServicePerformanceLog;

// One answered request. Times are monotonic, in this order.
struct ServedRpc {
  RpcIndex rpc;
  int64_t arrival_ns = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

class ServedRecorder {
 public:
  // `rpcs`: of the plan.
  explicit ServedRecorder(size_t rpcs);

  // Requires: served.rpc is below the number of RPCs.
  void Record(const ServedRpc& served) ABSL_LOCKS_EXCLUDED(lock_);

  // What is answered from now on is not recorded.
  void Close() ABSL_LOCKS_EXCLUDED(lock_);

 private:
  friend void WriteServedRpcs(const std::vector<const ServedRecorder*>& shards,
                              ServicePerformanceLog& log);

  mutable SpinLock lock_;
  bool is_closed_ ABSL_GUARDED_BY(lock_) = false;
  HistogramPageSlab slab_ ABSL_GUARDED_BY(lock_);
  // Null: not served yet.
  IndexedVector<RpcIndex, std::unique_ptr<ServedTimes>> times_ ABSL_GUARDED_BY(lock_);
};

// Adds to `log` what all shards of one engine recorded together; the same whatever their order.
// Requires: they have the same number of RPCs.
void WriteServedRpcs(const std::vector<const ServedRecorder*>& shards, ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SERVED_RECORDER_H_
