#include "benchmarks/pacing_floor.h"

#include <sys/prctl.h>
#include <time.h>

#include <thread>

#include "distbench/base/clock.h"

namespace distbench {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

void SleepUntil(const SystemClock&, int64_t time_ns) {
  const timespec deadline = {.tv_sec = time_ns / kNsPerSecond, .tv_nsec = time_ns % kNsPerSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) != 0) {
  }
}

void SpinUntil(const SystemClock& clock, int64_t time_ns) {
  while (clock.MonotonicNs() < time_ns) __builtin_ia32_pause();
}

// On a thread of its own: the slack is the thread's.
template <typename WaitUntil>
void Measure(const PacingFloorOptions& options, WaitUntil wait_until,
             LogLinearHistogram* lateness) {
  std::thread([&] {
    prctl(PR_SET_TIMERSLACK, 1);
    const SystemClock clock;
    const int64_t start_ns = clock.MonotonicNs();
    const int64_t end_ns = start_ns + static_cast<int64_t>(options.seconds * kNsPerSecond);
    for (int64_t due_ns = start_ns; due_ns <= end_ns; due_ns += options.interval_ns) {
      wait_until(clock, due_ns);
      lateness->Record(clock.MonotonicNs() - due_ns);
    }
  }).join();
}

}  // namespace

void MeasureSleepingFloor(const PacingFloorOptions& options, LogLinearHistogram* lateness) {
  Measure(options, SleepUntil, lateness);
}

void MeasureSpinningFloor(const PacingFloorOptions& options, LogLinearHistogram* lateness) {
  Measure(options, SpinUntil, lateness);
}

}  // namespace distbench
