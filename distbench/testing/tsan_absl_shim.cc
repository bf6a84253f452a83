// Makes the system's abseil visible to the thread sanitizer.
//
// The distribution's libabsl is not instrumented, so TSAN sees no order between a thread that
// leaves an absl::Mutex and the next one that enters it, and reports races that are none. The
// functions here stand before the library's own (the dynamic linker takes the executable's first),
// call them, and tell TSAN what they order: everything before a release happens before what follows
// the next acquire of the same object.
//
// Linked into every test; empty in other builds. Inline functions of abseil, such as
// Notification::HasBeenNotified, cannot be reached this way.
#if defined(DISTBENCH_TSAN)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <string>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"

namespace {

#define DISTBENCH_STRINGIZE_INNER(name) #name
#define DISTBENCH_STRINGIZE(name) DISTBENCH_STRINGIZE_INNER(name)

// The library's function; methods are plain functions with the object first. `nesting` is "N" or,
// for a const method, "NK"; `tail` is the mangled name without its namespaces, in which S0_ stands
// for them.
template <typename Function>
Function Real(const char* nesting, const char* tail) {
  const std::string version = DISTBENCH_STRINGIZE(ABSL_OPTION_INLINE_NAMESPACE_NAME);
  const std::string symbol =
      std::string("_Z") + nesting + "4absl" + std::to_string(version.size()) + version + tail;
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol.c_str()));
}

void Acquire(const void* object) { __tsan_acquire(const_cast<void*>(object)); }
void Release(const void* object) { __tsan_release(const_cast<void*>(object)); }

// A condition runs inside the library with the mutex held, on whatever thread looks at it.
struct OrderedCondition {
  const absl::Mutex* mutex;
  const absl::Condition* condition;

  static bool Holds(OrderedCondition* self) {
    Acquire(self->mutex);
    const bool holds = self->condition->Eval();
    Release(self->mutex);
    return holds;
  }
};

}  // namespace

namespace absl {
ABSL_NAMESPACE_BEGIN

// --- Mutex

void Mutex::Lock() {
  static const auto real = Real<void (*)(Mutex*)>("N", "5Mutex4LockEv");
  real(this);
  Acquire(this);
}

void Mutex::Unlock() {
  static const auto real = Real<void (*)(Mutex*)>("N", "5Mutex6UnlockEv");
  Release(this);
  real(this);
}

bool Mutex::TryLock() {
  static const auto real = Real<bool (*)(Mutex*)>("N", "5Mutex7TryLockEv");
  const bool locked = real(this);
  if (locked) Acquire(this);
  return locked;
}

void Mutex::ReaderLock() {
  static const auto real = Real<void (*)(Mutex*)>("N", "5Mutex10ReaderLockEv");
  real(this);
  Acquire(this);
}

void Mutex::ReaderUnlock() {
  static const auto real = Real<void (*)(Mutex*)>("N", "5Mutex12ReaderUnlockEv");
  Release(this);
  real(this);
}

bool Mutex::ReaderTryLock() {
  static const auto real = Real<bool (*)(Mutex*)>("N", "5Mutex13ReaderTryLockEv");
  const bool locked = real(this);
  if (locked) Acquire(this);
  return locked;
}

void Mutex::Await(const Condition& condition) {
  static const auto real =
      Real<void (*)(Mutex*, const Condition&)>("N", "5Mutex5AwaitERKNS0_9ConditionE");
  OrderedCondition ordered{this, &condition};
  Release(this);
  real(this, Condition(&OrderedCondition::Holds, &ordered));
  Acquire(this);
}

bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  static const auto real = Real<bool (*)(Mutex*, const Condition&, Duration)>(
      "N", "5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  OrderedCondition ordered{this, &condition};
  Release(this);
  const bool holds = real(this, Condition(&OrderedCondition::Holds, &ordered), timeout);
  Acquire(this);
  return holds;
}

bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  static const auto real = Real<bool (*)(Mutex*, const Condition&, Time)>(
      "N", "5Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  OrderedCondition ordered{this, &condition};
  Release(this);
  const bool holds = real(this, Condition(&OrderedCondition::Holds, &ordered), deadline);
  Acquire(this);
  return holds;
}

// Entered first and then waited for: the condition must not be looked at by whoever leaves the
// mutex before this thread has released what it consists of.
void Mutex::LockWhen(const Condition& condition) {
  Lock();
  Await(condition);
}

bool Mutex::LockWhenWithTimeout(const Condition& condition, Duration timeout) {
  return LockWhenWithDeadline(condition, Now() + timeout);
}

bool Mutex::LockWhenWithDeadline(const Condition& condition, Time deadline) {
  Lock();
  return AwaitWithDeadline(condition, deadline);
}

// --- CondVar: what a waiter sees is ordered by its mutex.

void CondVar::Wait(Mutex* mutex) {
  static const auto real = Real<void (*)(CondVar*, Mutex*)>("N", "7CondVar4WaitEPNS0_5MutexE");
  Release(mutex);
  real(this, mutex);
  Acquire(mutex);
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static const auto real = Real<bool (*)(CondVar*, Mutex*, Duration)>(
      "N", "7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  Release(mutex);
  const bool timed_out = real(this, mutex, timeout);
  Acquire(mutex);
  return timed_out;
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static const auto real = Real<bool (*)(CondVar*, Mutex*, Time)>(
      "N", "7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  Release(mutex);
  const bool timed_out = real(this, mutex, deadline);
  Acquire(mutex);
  return timed_out;
}

// --- Notification

void Notification::Notify() {
  static const auto real = Real<void (*)(Notification*)>("N", "12Notification6NotifyEv");
  Release(this);
  real(this);
}

void Notification::WaitForNotification() const {
  static const auto real =
      Real<void (*)(const Notification*)>("NK", "12Notification19WaitForNotificationEv");
  real(this);
  Acquire(this);
}

bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  static const auto real = Real<bool (*)(const Notification*, Duration)>(
      "NK", "12Notification30WaitForNotificationWithTimeoutENS0_8DurationE");
  const bool notified = real(this, timeout);
  if (notified) Acquire(this);
  return notified;
}

bool Notification::WaitForNotificationWithDeadline(Time deadline) const {
  static const auto real = Real<bool (*)(const Notification*, Time)>(
      "NK", "12Notification31WaitForNotificationWithDeadlineENS0_4TimeE");
  const bool notified = real(this, deadline);
  if (notified) Acquire(this);
  return notified;
}

// --- BlockingCounter

bool BlockingCounter::DecrementCount() {
  static const auto real =
      Real<bool (*)(BlockingCounter*)>("N", "15BlockingCounter14DecrementCountEv");
  Release(this);
  return real(this);
}

void BlockingCounter::Wait() {
  static const auto real = Real<void (*)(BlockingCounter*)>("N", "15BlockingCounter4WaitEv");
  real(this);
  Acquire(this);
}

ABSL_NAMESPACE_END
}  // namespace absl

#endif  // DISTBENCH_TSAN
