// TerminationSignal: Ctrl-C (SIGINT) and SIGTERM as an event of the program instead of its death.
//
//   running --first signal--> the action runs, on a thread of its own --second signal--> death
//
// Make it before all other threads: the signals must be blocked in each of them. Thread-safe.
#ifndef DISTBENCH_CLI_TERMINATION_SIGNAL_H_
#define DISTBENCH_CLI_TERMINATION_SIGNAL_H_

#include <functional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class TerminationSignal {
 public:
  // Takes the signals for as long as it lives. At most one at a time.
  TerminationSignal();
  ~TerminationSignal();
  TerminationSignal(const TerminationSignal&) = delete;
  TerminationSignal& operator=(const TerminationSignal&) = delete;

  // Sets what the first signal does in place of any action before; null: nothing. It runs at once
  // if the signal has come already. After the return the former action does not run any more.
  void OnSignal(std::function<void()> action);

  bool requested() const;

 private:
  void RunThread();

  int signals_;  // signalfd
  int quit_;     // eventfd, readable when the thread shall end
  mutable absl::Mutex mutex_;
  bool requested_ ABSL_GUARDED_BY(mutex_) = false;
  // Held to one run at a time; apart from mutex_, so that requested() never waits for an action.
  absl::Mutex action_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  std::function<void()> action_ ABSL_GUARDED_BY(action_mutex_);
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_TERMINATION_SIGNAL_H_
