// SimulatedTime: a clock that stands still until a test moves it, and the timers that go with it.
//
// Timers fire on the thread that moves the clock, in the order of their deadlines, with the clock
// standing exactly at each one's deadline. Thread-safe, though a test that wants the same course
// every time moves it from one thread.
#ifndef DISTBENCH_TESTING_SIMULATED_TIME_H_
#define DISTBENCH_TESTING_SIMULATED_TIME_H_

#include <cstdint>

#include "absl/synchronization/mutex.h"
#include "distbench/base/clock.h"
#include "distbench/base/timer.h"
#include "distbench/base/timer_heap.h"

namespace distbench {

class SimulatedTime final : public Clock, public TimerService {
 public:
  // Wall time starts in 2001, far from the monotonic origin, so that mixing the two shows.
  static constexpr int64_t kWallMinusMonotonicNs = 1'000'000'000'000'000'000;

  int64_t MonotonicNs() const override;
  int64_t WallNs() const override { return MonotonicNs() + kWallMinusMonotonicNs; }
  void Arm(Timer* timer, int64_t deadline_ns) override;
  bool Disarm(Timer* timer) override;

  // Moves the clock forward, firing what falls due on the way.
  void AdvanceTo(int64_t monotonic_ns);
  void AdvanceBy(int64_t ns) { AdvanceTo(MonotonicNs() + ns); }

  // Moves the clock forward without firing anything, like a machine that stood still: what has
  // fallen due meanwhile fires late, with the next move.
  void StallUntil(int64_t monotonic_ns);

  // Moves the clock to the earliest armed timer and fires it. False if none is armed.
  bool RunNextTimer();

 private:
  // Pops the earliest timer due at or before `limit_ns` and moves the clock to it; null if none.
  Timer* PopDue(int64_t limit_ns);

  mutable absl::Mutex mutex_;
  int64_t now_ns_ ABSL_GUARDED_BY(mutex_) = 1'000'000'000;
  TimerHeap heap_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_TESTING_SIMULATED_TIME_H_
