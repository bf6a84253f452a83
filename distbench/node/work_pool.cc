#include "distbench/node/work_pool.h"

#include <pthread.h>

#include <utility>

namespace distbench {

WorkPool::WorkPool(int thread_count) {
  for (int i = 0; i < thread_count; ++i) threads_.emplace_back([this] { RunThread(); });
}

WorkPool::~WorkPool() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void WorkPool::Submit(std::function<void()> work) {
  absl::MutexLock lock(&mutex_);
  work_.push_back(std::move(work));
}

bool WorkPool::HasWorkOrStops() const { return !work_.empty() || stopping_; }

void WorkPool::RunThread() {
  pthread_setname_np(pthread_self(), "db-work");
  while (true) {
    std::function<void()> work;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &WorkPool::HasWorkOrStops));
      if (work_.empty()) return;
      work = std::move(work_.front());
      work_.pop_front();
    }
    work();
  }
}

}  // namespace distbench
