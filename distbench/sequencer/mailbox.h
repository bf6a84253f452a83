// Mailbox: the tasks of one thread.
//
// Running tests is sequential logic that waits a lot: for answers of nodes, for deadlines, for a
// caller who changes his mind. All of that happens on one thread, the mailbox's owner. Other
// threads (gRPC's, the timer's) leave tasks; the owner runs them while it waits:
//
//   mailbox.RunUntil([&] { return answered || stop.requested(); });
//
// What only tasks and the owner touch needs no lock. Tasks are short and never wait themselves.
// Tests drive the same logic on simulated time by a mailbox that moves the clock instead of
// blocking.
#ifndef DISTBENCH_SEQUENCER_MAILBOX_H_
#define DISTBENCH_SEQUENCER_MAILBOX_H_

#include <deque>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class Mailbox {
 public:
  using Task = std::function<void()>;

  virtual ~Mailbox() = default;

  // Leaves a task for the owner; tasks run in the order of their posting. Thread-safe.
  virtual void Post(Task task) = 0;

  // Waits for a task and runs it. Owner only; not from within a task.
  virtual void RunOne() = 0;

  // Runs tasks until `done()` holds, which is looked at before each.
  template <typename Predicate>
  void RunUntil(Predicate done) {
    while (!done()) RunOne();
  }
};

// Blocks its thread while there is nothing to do.
class ThreadMailbox final : public Mailbox {
 public:
  ThreadMailbox() = default;
  // Drops tasks that were never run. Requires: nobody posts any more.
  ~ThreadMailbox() override;

  void Post(Task task) override;
  void RunOne() override;

 private:
  absl::Mutex mutex_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_MAILBOX_H_
