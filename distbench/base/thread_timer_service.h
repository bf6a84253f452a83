// ThreadTimerService: timers on a thread of their own.
//
// The thread sleeps until the earliest timer is due, with the finest timer slack that the kernel
// has (PR_SET_TIMERSLACK, 1 ns instead of the usual 50 µs), and is told apart from one that spins
// by a single number: how long before a deadline it stops sleeping. With no timer armed it sleeps,
// whatever that number is.
#ifndef DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_
#define DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_

#include <cstdint>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/clock.h"
#include "distbench/base/cpu_list.h"
#include "distbench/base/timer.h"
#include "distbench/base/timer_deadline.h"
#include "distbench/base/timer_heap.h"

namespace distbench {

struct TimerThreadOptions {
  // The thread spins from this long before a deadline on, at first; it learns what it needs (see
  // SpinMargin). 0: it never does; TimerDeadline::kAlwaysSpin: as long as a timer is armed.
  int64_t spin_before_ns = 0;
  std::string name = "db-timer";  // of the thread, at most 15 characters
  LoopPlacement placement;        // the process's; a timer thread is no loop and runs anywhere
};

class ThreadTimerService final : public TimerService {
 public:
  // `clock` must be a SystemClock: the kernel sleeps by CLOCK_MONOTONIC.
  explicit ThreadTimerService(const SystemClock& clock, const TimerThreadOptions& options = {});
  // Requires: no timer is armed.
  ~ThreadTimerService() override;

  void Arm(Timer* timer, int64_t deadline_ns) override;
  bool Disarm(Timer* timer) override;

 private:
  void RunThread(const LoopPlacement& placement);
  void FollowHeap() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Null if none is due at `now_ns`.
  Timer* TakeDue(int64_t now_ns, bool* stopping);

  TimerDeadline deadline_;  // that of the heap's earliest timer; has passed when stopping
  absl::Mutex mutex_;
  TimerHeap heap_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_
