// WorkQueue: one owner's share of a WorkPool. Its work runs in order and one piece at a time, so
// that what belongs to the queue needs no lock, on whichever thread of the pool is free.
//
// A queue that has nothing to do costs no thread and nothing in the pool. Thread-safe.
#ifndef DISTBENCH_NODE_WORK_QUEUE_H_
#define DISTBENCH_NODE_WORK_QUEUE_H_

#include <deque>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/node/work_pool.h"

namespace distbench {

class WorkQueue {
 public:
  // `pool` outlives the queue.
  explicit WorkQueue(WorkPool* pool) : pool_(pool) {}
  // Waits until all work is done. Requires: not called from the queue's own work.
  ~WorkQueue();

  // Work may submit more of it.
  void Submit(std::function<void()> work);

 private:
  // Runs one piece, then asks the pool for another turn: queues take turns in the pool.
  void RunNext();
  bool IsIdle() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return work_.empty() && !running_; }

  WorkPool* const pool_;
  absl::Mutex mutex_;
  std::deque<std::function<void()>> work_ ABSL_GUARDED_BY(mutex_);
  bool running_ ABSL_GUARDED_BY(mutex_) = false;  // the pool has been asked for a turn
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_WORK_QUEUE_H_
