#include "distbench/engine/request_thread.h"

namespace distbench {

absl::StatusOr<RequestThread*> RequestThread::Start(Workers* workers) {
  auto* thread = new RequestThread();
  const absl::Status begun = workers->PostAlone(thread);
  if (begun.ok()) return thread;
  delete thread;
  return begun;
}

absl::Status RequestThread::Post(JobQueue::Job* job) {
  absl::MutexLock lock(&mutex_);
  jobs_.push_back(job);
  return absl::OkStatus();
}

void RequestThread::Release() {
  absl::MutexLock lock(&mutex_);
  is_released_ = true;
}

JobQueue::Job* RequestThread::NextJob() {
  const auto is_ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return is_released_ || !jobs_.empty();
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&is_ready));
  if (jobs_.empty()) return nullptr;
  JobQueue::Job* job = jobs_.front();
  jobs_.pop_front();
  return job;
}

void RequestThread::RunOnWorker() {
  while (JobQueue::Job* job = NextJob()) job->RunOnWorker();
  delete this;
}

}  // namespace distbench
