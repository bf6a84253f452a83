#include "distbench/node/work_queue.h"

#include <utility>

namespace distbench {

WorkQueue::~WorkQueue() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &WorkQueue::IsIdle));
}

void WorkQueue::Submit(std::function<void()> work) {
  absl::MutexLock lock(&mutex_);
  work_.push_back(std::move(work));
  if (running_) return;
  running_ = true;
  pool_->Submit([this] { RunNext(); });
}

void WorkQueue::RunNext() {
  std::function<void()> work;
  {
    absl::MutexLock lock(&mutex_);
    work = std::move(work_.front());
    work_.pop_front();
  }
  work();
  work = nullptr;  // what it captured goes before the queue may
  absl::MutexLock lock(&mutex_);
  if (work_.empty()) {
    running_ = false;
  } else {
    pool_->Submit([this] { RunNext(); });
  }
}

}  // namespace distbench
