// TimerDeadline: the moment that a timer thread waits for, which other threads may move.
//
//                 Await()                                       Set(), by whoever holds the timers
//   awake --> due? ---yes--------------> returns
//     ^         | no
//     |         | near enough to spin --> pause, look at clock and deadline again
//     |         | else
//     '--- asleep in the kernel until some time before the deadline  <-- woken only if the deadline
//                                                                       came nearer
//
// One thread waits; a spinning one takes no lock to see that the deadline has moved. Moving it
// costs a store, and a system call only where it comes nearer to a thread that sleeps.
#ifndef DISTBENCH_BASE_TIMER_DEADLINE_H_
#define DISTBENCH_BASE_TIMER_DEADLINE_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "distbench/base/clock.h"
#include "distbench/base/spin_margin.h"

namespace distbench {

class TimerDeadline {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  // As `spin_before_ns`: spins whenever there is a deadline at all.
  static constexpr int64_t kAlwaysSpin = std::numeric_limits<int64_t>::max();

  // Spins from `spin_before_ns` before a deadline on: never if that is 0, always if kAlwaysSpin;
  // any other value is where a SpinMargin begins. `clock` outlives this object; the kernel, where
  // it is asked, sleeps by CLOCK_MONOTONIC.
  TimerDeadline(const Clock& clock, int64_t spin_before_ns)
      : clock_(clock),
        learns_(spin_before_ns != 0 && spin_before_ns != kAlwaysSpin),
        always_spins_(spin_before_ns == kAlwaysSpin),
        margin_(learns_ ? spin_before_ns : 0) {}
  TimerDeadline(const TimerDeadline&) = delete;
  TimerDeadline& operator=(const TimerDeadline&) = delete;

  // Callers exclude each other. No deadline at first: kNever.
  void Set(int64_t deadline_ns);

  // Returns, at or after the deadline that is set by then, what the clock shows. By one thread.
  int64_t Await();

 private:
  bool WorthSpinning(int64_t deadline_ns, int64_t now_ns) const {
    return deadline_ns != kNever && (always_spins_ || deadline_ns - now_ns <= margin_.ns());
  }
  void SleepTowards(int64_t deadline_ns);

  const Clock& clock_;
  const bool learns_;
  const bool always_spins_;
  SpinMargin margin_;  // the waiting thread's
  std::atomic<int64_t> deadline_ns_{kNever};
  std::atomic<uint32_t> asleep_{0};  // 1: in the kernel, or about to ask it; what it sleeps on
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_TIMER_DEADLINE_H_
