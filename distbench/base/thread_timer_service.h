// ThreadTimerService: the timers of a process, on one thread that sleeps until the earliest is due.
//
// The thread asks the kernel for the finest timer slack (PR_SET_TIMERSLACK, 1 ns instead of the
// usual 50 µs); it burns no CPU while it waits.
#ifndef DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_
#define DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "distbench/base/clock.h"
#include "distbench/base/timer.h"
#include "distbench/base/timer_heap.h"

namespace distbench {

class ThreadTimerService final : public TimerService {
 public:
  // `clock` must be a SystemClock: the kernel sleeps by CLOCK_MONOTONIC.
  explicit ThreadTimerService(const SystemClock& clock);
  // Requires: no timer is armed.
  ~ThreadTimerService() override;

  void Arm(Timer* timer, int64_t deadline_ns) override;
  bool Disarm(Timer* timer) override;

 private:
  void RunThread();

  const SystemClock& clock_;
  // The standard library's pair rather than absl's: it sleeps on CLOCK_MONOTONIC to the
  // nanosecond, where absl's timed waits go through the wall clock.
  std::mutex mutex_;
  std::condition_variable changed_;
  TimerHeap heap_;         // guarded by mutex_
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_THREAD_TIMER_SERVICE_H_
