// WorkPool: a few threads for work that may take a while or wait (starting and stopping engines),
// so that it never runs on the threads that deliver RPCs.
//
// One pool serves all nodes of a process. Thread-safe.
#ifndef DISTBENCH_NODE_WORK_POOL_H_
#define DISTBENCH_NODE_WORK_POOL_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class WorkPool {
 public:
  // Requires: thread_count >= 1.
  explicit WorkPool(int thread_count);
  // Runs what was submitted, then joins.
  ~WorkPool();

  void Submit(std::function<void()> work);

 private:
  void RunThread();
  bool HasWorkOrStops() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  std::deque<std::function<void()>> work_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_WORK_POOL_H_
