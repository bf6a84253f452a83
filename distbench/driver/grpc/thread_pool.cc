#include "distbench/driver/grpc/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "distbench/base/start_thread.h"
#include "glog/logging.h"

namespace distbench {

ThreadPool::ThreadPool(const ThreadPoolOptions& options)
    : options_(options),
      max_threads_(options.growth == PoolGrowth::kElastic
                       ? std::max(options.size, kMaxElasticThreads)
                       : options.size) {
  absl::MutexLock lock(&mutex_);
  for (size_t i = 0; i < options_.size; ++i) AddThread();
  CHECK(!running_.empty()) << "the system gives no thread";
}

ThreadPool::~ThreadPool() {
  Threads ended;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    posted_or_stopping_.SignalAll();
    const auto all_have_ended = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return running_.empty();
    };
    mutex_.Await(absl::Condition(&all_have_ended));
    ended = std::move(ended_);
  }
  for (std::thread& thread : ended) thread.join();
}

size_t ThreadPool::thread_count() const {
  absl::MutexLock lock(&mutex_);
  return running_.size();
}

void ThreadPool::Post(PoolTask* task) {
  Threads ended;
  {
    absl::MutexLock lock(&mutex_);
    task->next_ = nullptr;
    (first_ == nullptr ? first_ : last_->next_) = task;
    last_ = task;
    ++queued_;
    if (NeedsThread() && AddThread()) ended = std::move(ended_);
    if (idle_ > 0) posted_or_stopping_.Signal();
  }
  for (std::thread& thread : ended) thread.join();
}

bool ThreadPool::NeedsThread() const { return queued_ > idle_ && running_.size() < max_threads_; }

bool ThreadPool::AddThread() {
  running_.emplace_front();
  const auto self = running_.begin();
  absl::StatusOr<std::thread> thread = StartThread([this, self] { Run(self); });
  if (!thread.ok()) {
    running_.pop_front();
    return false;
  }
  // Counted as idle from the start, so that the next task does not take it for its own.
  ++idle_;
  *self = *std::move(thread);
  pthread_setname_np(self->native_handle(), "db-grpc-pool");
  return true;
}

void ThreadPool::Run(Threads::iterator self) {
  options_.placement.LeaveLoops();
  absl::MutexLock lock(&mutex_);
  while (PoolTask* task = WaitForTask()) {
    mutex_.Unlock();
    task->RunInPool();
    mutex_.Lock();
    ++idle_;
  }
  ended_.splice(ended_.begin(), running_, self);
}

PoolTask* ThreadPool::WaitForTask() {
  while (first_ == nullptr && !stopping_) {
    if (running_.size() <= options_.size) {
      posted_or_stopping_.Wait(&mutex_);
      continue;
    }
    const bool timed_out = posted_or_stopping_.WaitWithTimeout(&mutex_, options_.idle_limit);
    if (timed_out && first_ == nullptr && running_.size() > options_.size) break;
  }
  --idle_;
  PoolTask* task = first_;
  if (task == nullptr) return nullptr;
  first_ = task->next_;
  --queued_;
  return task;
}

}  // namespace distbench
