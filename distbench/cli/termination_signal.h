// TerminationSignal: Ctrl-C (SIGINT) and SIGTERM as an event of the program instead of its death.
//
//   running --first signal--> the action runs, on a thread of its own --second signal--> death
//
// or, where there is an action for the second signal too, that one, and death by the third.
//
// So it is also where the signals were ignored before, as they are by what a script starts with
// `&`. Make it before all other threads: the signals must be blocked in each of them. Thread-safe.
#ifndef DISTBENCH_CLI_TERMINATION_SIGNAL_H_
#define DISTBENCH_CLI_TERMINATION_SIGNAL_H_

#include <signal.h>

#include <functional>
#include <optional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class TerminationSignal {
 public:
  // Takes the signals for as long as it lives; then what they did before is what they do. At most
  // one at a time.
  TerminationSignal();
  ~TerminationSignal();
  TerminationSignal(const TerminationSignal&) = delete;
  TerminationSignal& operator=(const TerminationSignal&) = delete;

  // Sets what the first signal does in place of any action before; null: nothing. It runs at once
  // if the signal has come already. `second` is for the second signal; it is reached only if
  // `first` returns soon, while without it a second signal always ends the process. After the
  // return former actions do not run any more.
  void OnSignal(std::function<void()> first, std::function<void()> second = nullptr);

  bool requested() const;

 private:
  void RunThread();
  // Waits for one and returns its number; none if the thread shall end.
  std::optional<int> NextSignal();
  void AwaitQuit();
  // True if there is an action for the second signal. Else this thread is open to signals now.
  bool ActOnFirst();
  void ActOnSecond(int signal);

  struct sigaction former_interrupt_ {};
  struct sigaction former_terminate_ {};
  int signals_;  // signalfd
  int quit_;     // eventfd, readable when the thread shall end
  mutable absl::Mutex mutex_;
  bool requested_ ABSL_GUARDED_BY(mutex_) = false;
  // Held to one run at a time; apart from mutex_, so that requested() never waits for an action.
  absl::Mutex action_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  std::function<void()> first_ ABSL_GUARDED_BY(action_mutex_);
  std::function<void()> second_ ABSL_GUARDED_BY(action_mutex_);
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_TERMINATION_SIGNAL_H_
