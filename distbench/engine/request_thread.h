// RequestThread: the thread that is made for one request, which runs its jobs and ends with it.
//
//   made by Start() --> runs what is posted, in order --> Release() --> runs the rest, ends
//
// Thread-safe. Owns itself.
#ifndef DISTBENCH_ENGINE_REQUEST_THREAD_H_
#define DISTBENCH_ENGINE_REQUEST_THREAD_H_

#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "distbench/engine/job_queue.h"
#include "distbench/engine/workers.h"

namespace distbench {

class RequestThread final : public JobQueue, private JobQueue::Job {
 public:
  // `workers` make the thread, and outlive it. RESOURCE_EXHAUSTED if there may be no more.
  static absl::StatusOr<RequestThread*> Start(Workers* workers);

  // Does not fail. Requires: not released.
  absl::Status Post(JobQueue::Job* job) override ABSL_LOCKS_EXCLUDED(mutex_);

  // Nothing is posted any more. May be called by one of the jobs.
  void Release() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  RequestThread() = default;
  ~RequestThread() = default;

  void RunOnWorker() override;
  // Null once there will be none.
  JobQueue::Job* NextJob() ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Mutex mutex_;
  std::deque<JobQueue::Job*> jobs_ ABSL_GUARDED_BY(mutex_);
  bool is_released_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REQUEST_THREAD_H_
