#include "distbench/sequencer/mailbox.h"

#include <utility>

namespace distbench {

// Under the lock, which orders the tasks' destruction after the posting by other threads.
ThreadMailbox::~ThreadMailbox() {
  absl::MutexLock lock(&mutex_);
  tasks_.clear();
}

void ThreadMailbox::Post(Task task) {
  absl::MutexLock lock(&mutex_);
  tasks_.push_back(std::move(task));
}

void ThreadMailbox::RunOne() {
  Task task;
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](std::deque<Task>* tasks) { return !tasks->empty(); }, &tasks_));
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  task();
}

}  // namespace distbench
