// SpinLock: for critical sections of a few nanoseconds that hardly anybody else ever wants.
//
// Taking it free costs one atomic exchange, half of what absl::Mutex costs. Whoever finds it taken
// spins, and lets other threads run when that lasts, as the holder may have lost its CPU.
#ifndef DISTBENCH_BASE_SPIN_LOCK_H_
#define DISTBENCH_BASE_SPIN_LOCK_H_

#include <atomic>
#include <thread>

#include "absl/base/thread_annotations.h"

namespace distbench {

class ABSL_LOCKABLE SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    while (is_taken_.exchange(true, std::memory_order_acquire)) WaitUntilFree();
  }
  void Unlock() ABSL_UNLOCK_FUNCTION() { is_taken_.store(false, std::memory_order_release); }

 private:
  void WaitUntilFree() const {
    constexpr int kLooksBeforeYield = 100;
    for (int look = 0; is_taken_.load(std::memory_order_relaxed); ++look) {
      if (look >= kLooksBeforeYield) std::this_thread::yield();
    }
  }

  std::atomic<bool> is_taken_{false};
};

class ABSL_SCOPED_LOCKABLE SpinLockHolder {
 public:
  explicit SpinLockHolder(SpinLock* lock) ABSL_EXCLUSIVE_LOCK_FUNCTION(lock) : lock_(lock) {
    lock_->Lock();
  }
  ~SpinLockHolder() ABSL_UNLOCK_FUNCTION() { lock_->Unlock(); }
  SpinLockHolder(const SpinLockHolder&) = delete;
  SpinLockHolder& operator=(const SpinLockHolder&) = delete;

 private:
  SpinLock* const lock_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_SPIN_LOCK_H_
