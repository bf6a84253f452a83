// Workers: the threads of a process that do what would hold up an event loop: CPU work of
// activities and delays that spin.
//
// Short jobs share as many threads as there are CPUs, and wait for each other in order. A job that
// runs on and on (an antagonist) gets a thread of its own, which ends with it. Threads are made
// when they are first needed. Thread-safe.
#ifndef DISTBENCH_ENGINE_WORKERS_H_
#define DISTBENCH_ENGINE_WORKERS_H_

#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/cpu_list.h"
#include "distbench/base/start_thread.h"
#include "distbench/engine/job_queue.h"

namespace distbench {

class Workers final : public JobQueue {
 public:
  // `threads` >= 1: of the shared ones.
  explicit Workers(size_t threads, const LoopPlacement& placement = {},
                   ThreadStarter start_thread = StartThread);
  // Runs what was posted before. Requires: nothing is posted any more.
  ~Workers();

  absl::Status Post(Job* job) override;
  absl::Status PostAlone(Job* job);

  // Others like these.
  std::unique_ptr<Workers> MakeMore(size_t threads) const {
    return std::make_unique<Workers>(threads, placement_, start_thread_);
  }

 private:
  struct Loner {
    bool is_done = false;
    std::thread thread;
  };

  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !jobs_.empty(); }
  void RunSharedThread();
  void RunAlone(Job* job, Loner* loner);

  const size_t most_threads_;
  const LoopPlacement placement_;
  const ThreadStarter start_thread_;
  absl::Mutex mutex_;
  std::deque<Job*> jobs_ ABSL_GUARDED_BY(mutex_);
  size_t idle_threads_ ABSL_GUARDED_BY(mutex_) = 0;  // that wait for a job
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  std::list<Loner> loners_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_WORKERS_H_
