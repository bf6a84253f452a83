#include "distbench/engine/workers.h"

#include <pthread.h>

#include <iterator>
#include <utility>

#include "distbench/base/status_macros.h"

namespace distbench {

Workers::Workers(size_t threads, const LoopPlacement& placement, ThreadStarter start_thread)
    : most_threads_(threads), placement_(placement), start_thread_(std::move(start_thread)) {}

Workers::~Workers() {
  std::vector<std::thread> threads;
  std::list<Loner> loners;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    threads.swap(threads_);
    loners.swap(loners_);  // each keeps its address
  }
  for (std::thread& thread : threads) thread.join();
  for (Loner& loner : loners) loner.thread.join();
}

absl::Status Workers::Post(Job* job) {
  absl::MutexLock lock(&mutex_);
  if (idle_threads_ <= jobs_.size() && threads_.size() < most_threads_) {
    ASSIGN_OR_RETURN(std::thread thread, start_thread_([this] { RunSharedThread(); }));
    threads_.push_back(std::move(thread));
  }
  jobs_.push_back(job);
  return absl::OkStatus();
}

void Workers::RunSharedThread() {
  placement_.LeaveLoops();
  pthread_setname_np(pthread_self(), "db-worker");
  while (true) {
    Job* job = nullptr;
    {
      absl::MutexLock lock(&mutex_);
      ++idle_threads_;
      mutex_.Await(absl::Condition(this, &Workers::HasWork));
      --idle_threads_;
      if (jobs_.empty()) return;
      job = jobs_.front();
      jobs_.pop_front();
    }
    job->RunOnWorker();
  }
}

absl::Status Workers::PostAlone(Job* job) {
  std::list<Loner> finished;
  absl::MutexLock lock(&mutex_);
  for (auto it = loners_.begin(); it != loners_.end();) {
    const auto next = std::next(it);
    if (it->is_done) finished.splice(finished.end(), loners_, it);
    it = next;
  }
  // They need the lock no more.
  for (Loner& loner : finished) loner.thread.join();
  Loner* loner = &loners_.emplace_back();
  absl::StatusOr<std::thread> thread = start_thread_([this, job, loner] { RunAlone(job, loner); });
  if (!thread.ok()) {
    loners_.pop_back();
    return thread.status();
  }
  loner->thread = *std::move(thread);
  return absl::OkStatus();
}

void Workers::RunAlone(Job* job, Loner* loner) {
  placement_.LeaveLoops();
  pthread_setname_np(pthread_self(), "db-alone");
  job->RunOnWorker();
  absl::MutexLock lock(&mutex_);
  loner->is_done = true;
}

}  // namespace distbench
