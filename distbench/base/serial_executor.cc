#include "distbench/base/serial_executor.h"

#include <limits>
#include <thread>

namespace distbench {

SerialExecutor::~SerialExecutor() {
  while (word_.load(std::memory_order_acquire) != Idle()) std::this_thread::yield();
}

bool SerialExecutor::BecomeRunnerOrPush(Task* task) {
  Task* seen = word_.load(std::memory_order_relaxed);
  while (true) {
    if (seen == Idle()) {
      if (word_.compare_exchange_weak(seen, Running(), std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return true;
      }
      continue;
    }
    task->next_ = seen == Running() ? nullptr : seen;
    if (word_.compare_exchange_weak(seen, task, std::memory_order_release,
                                    std::memory_order_relaxed)) {
      return false;
    }
  }
}

void SerialExecutor::Post(Task* task) {
  if (!BecomeRunnerOrPush(task)) return;
  runs_poster_ = true;
  task->Run();
  runs_poster_ = false;
  Drain(relief_ == nullptr ? std::numeric_limits<int>::max() : budget_);
}

void SerialExecutor::PostToRelief(Task* task) {
  if (relief_ == nullptr) return Post(task);
  if (!BecomeRunnerOrPush(task)) return;
  task->next_ = nullptr;
  backlog_ = task;
  relief_->TakeOver(this);
}

void SerialExecutor::ResumeRunning() { Drain(budget_); }

void SerialExecutor::Drain(int budget) {
  while (true) {
    while (backlog_ != nullptr) {
      if (budget-- == 0) {
        relief_->TakeOver(this);
        return;
      }
      Task* task = backlog_;
      backlog_ = task->next_;
      task->Run();
    }
    Task* expected = Running();
    if (word_.compare_exchange_strong(expected, Idle(), std::memory_order_release,
                                      std::memory_order_relaxed)) {
      return;
    }
    // Taken newest first; turned round so that tasks run in the order of their posting.
    Task* newest = word_.exchange(Running(), std::memory_order_acquire);
    while (newest != nullptr) {
      Task* older = newest->next_;
      newest->next_ = backlog_;
      backlog_ = newest;
      newest = older;
    }
  }
}

}  // namespace distbench
