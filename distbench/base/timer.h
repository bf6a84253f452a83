// Timer and TimerService: one-shot alarms on the monotonic clock.
//
// A Timer is embedded in what waits (a paced action, a call's deadline) and costs no allocation to
// arm. A process has few services, however many timers; tests use SimulatedTime
// (distbench/testing), which is a Clock and a TimerService at once.
#ifndef DISTBENCH_BASE_TIMER_H_
#define DISTBENCH_BASE_TIMER_H_

#include <cstddef>
#include <cstdint>

namespace distbench {

class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Runs on the service's thread, without any lock, at or after the deadline. It must be short:
  // usually it posts a task to the executor that owns the waiting state.
  virtual void OnTimer() = 0;

 protected:
  ~Timer() = default;

 private:
  friend class TimerHeap;
  static constexpr size_t kNotArmed = ~size_t{0};
  int64_t deadline_ns_ = 0;
  size_t heap_position_ = kNotArmed;
};

// Thread-safe.
class TimerService {
 public:
  virtual ~TimerService() = default;

  // Calls timer->OnTimer() once at `deadline_ns` (Clock::MonotonicNs), at once if that has passed.
  // Requires: the timer is not armed. It may be armed again from its own OnTimer().
  virtual void Arm(Timer* timer, int64_t deadline_ns) = 0;

  // Returns true if the timer was armed and now will not fire. False means that OnTimer() has run,
  // is running or is about to run: the timer must then outlive that call.
  virtual bool Disarm(Timer* timer) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_TIMER_H_
