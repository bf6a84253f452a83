#include "distbench/base/timer_deadline.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace distbench {
namespace {

// Lets the core's other hardware thread run while this one looks at the clock.
void PauseSpinning() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// Sleeps until `*word` is woken, is not `expected`, or CLOCK_MONOTONIC shows `until_ns`. A wait of
// the kernel's own: condition variables add a lock to take after it, epoll and gRPC round to ms.
void FutexWait(std::atomic<uint32_t>* word, uint32_t expected, int64_t until_ns) {
  const timespec until = {.tv_sec = until_ns / 1'000'000'000, .tv_nsec = until_ns % 1'000'000'000};
  const bool forever = until_ns == TimerDeadline::kNever;
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, forever ? nullptr : &until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void FutexWake(std::atomic<uint32_t>* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

void TimerDeadline::Set(int64_t deadline_ns) {
  const int64_t previous_ns = deadline_ns_.load(std::memory_order_relaxed);
  if (deadline_ns == previous_ns) return;
  // Either this thread sees the other asleep, or the other sees the new deadline before it sleeps.
  deadline_ns_.store(deadline_ns, std::memory_order_seq_cst);
  // One that sleeps towards an earlier moment finds out when it wakes up.
  if (deadline_ns > previous_ns || asleep_.load(std::memory_order_seq_cst) == 0) return;
  if (asleep_.exchange(0, std::memory_order_relaxed) == 1) FutexWake(&asleep_);
}

int64_t TimerDeadline::Await() {
  bool has_slept = false;
  while (true) {
    const int64_t deadline_ns = deadline_ns_.load(std::memory_order_acquire);
    const int64_t now_ns = clock_.MonotonicNs();
    if (now_ns >= deadline_ns) {
      if (learns_ && !has_slept) margin_.OnSpunThrough();
      return now_ns;
    }
    if (WorthSpinning(deadline_ns, now_ns)) {
      PauseSpinning();
    } else {
      SleepTowards(deadline_ns);
      has_slept = true;
    }
  }
}

void TimerDeadline::SleepTowards(int64_t deadline_ns) {
  asleep_.store(1, std::memory_order_seq_cst);
  if (deadline_ns_.load(std::memory_order_seq_cst) == deadline_ns) {
    const int64_t wake_up_ns = deadline_ns == kNever ? kNever : deadline_ns - margin_.ns();
    FutexWait(&asleep_, 1, wake_up_ns);
    if (learns_ && asleep_.load(std::memory_order_relaxed) == 1) {
      // Nobody woke it but the kernel.
      const int64_t late_ns = clock_.MonotonicNs() - wake_up_ns;
      if (late_ns >= 0) margin_.OnWakeUp(late_ns);
    }
  }
  asleep_.store(0, std::memory_order_relaxed);
}

}  // namespace distbench
