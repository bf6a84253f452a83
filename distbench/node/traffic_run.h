// TrafficRun: one run of traffic on all engines of a node, from the agreed start until the last of
// them has ended, or until it is given up.
//
//   waiting for engines --last engine ends--> ended
//          |
//          '------------GiveUp()------------> ended
//
// Thread-safe. Shared by the node and by the engines that still run.
#ifndef DISTBENCH_NODE_TRAFFIC_RUN_H_
#define DISTBENCH_NODE_TRAFFIC_RUN_H_

#include <cstddef>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace distbench {

class TrafficRun {
 public:
  struct Options {
    size_t engine_count = 0;
    // An engine met an overload limit: the whole test shall stop. Called at most once, before
    // `done`, on any thread, without a lock.
    std::function<void(absl::Status)> on_overload;
    // Called once, on any thread, without a lock. OK, or why the traffic ended early.
    std::function<void(absl::Status)> done;
  };

  explicit TrafficRun(Options options);

  // One of the engines has ended. Of several reasons the first that is not OK is kept, but
  // RESOURCE_EXHAUSTED wins.
  void OnEngineDone(const absl::Status& status);

  // Ends the run although engines have not, with `reason`.
  void GiveUp(const absl::Status& reason);

  // Whether the run has ended by `deadline`.
  bool WaitUntilEnded(absl::Time deadline);
  bool has_ended();

 private:
  const Options options_;
  absl::Mutex mutex_;
  size_t running_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool overload_told_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_TRAFFIC_RUN_H_
