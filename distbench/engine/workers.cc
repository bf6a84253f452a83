#include "distbench/engine/workers.h"

#include <pthread.h>

#include <iterator>

namespace distbench {

Workers::Workers(size_t threads, const LoopPlacement& placement)
    : most_threads_(threads), placement_(placement) {}

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

void Workers::Post(Job* job) {
  absl::MutexLock lock(&mutex_);
  jobs_.push_back(job);
  if (idle_threads_ < jobs_.size() && threads_.size() < most_threads_) {
    threads_.emplace_back([this] { RunSharedThread(); });
  }
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

void Workers::PostAlone(Job* job) {
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
  loner->thread = std::thread([this, job, loner] { RunAlone(job, loner); });
}

void Workers::RunAlone(Job* job, Loner* loner) {
  placement_.LeaveLoops();
  pthread_setname_np(pthread_self(), "db-alone");
  job->RunOnWorker();
  absl::MutexLock lock(&mutex_);
  loner->is_done = true;
}

}  // namespace distbench
