#include "distbench/base/thread_timer_service.h"

#include <deque>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class NotifyingTimer final : public Timer {
 public:
  explicit NotifyingTimer(const Clock& clock) : clock_(clock) {}
  void OnTimer() override {
    fired_at_ns = clock_.MonotonicNs();
    fired.Notify();
  }
  int64_t fired_at_ns = 0;
  absl::Notification fired;

 private:
  const Clock& clock_;
};

TEST(ThreadTimerServiceTest, FiresAtOrAfterTheDeadline) {
  SystemClock clock;
  ThreadTimerService timers(clock);
  NotifyingTimer timer(clock);
  const int64_t deadline_ns = clock.MonotonicNs() + 2'000'000;
  timers.Arm(&timer, deadline_ns);
  timer.fired.WaitForNotification();
  EXPECT_GE(timer.fired_at_ns, deadline_ns);
}

TEST(ThreadTimerServiceTest, AnEarlierTimerArmedLaterFiresFirst) {
  SystemClock clock;
  ThreadTimerService timers(clock);
  NotifyingTimer far(clock);
  NotifyingTimer near(clock);
  const int64_t now_ns = clock.MonotonicNs();
  timers.Arm(&far, now_ns + 3'600'000'000'000);
  timers.Arm(&near, now_ns);
  near.fired.WaitForNotification();
  EXPECT_FALSE(far.fired.HasBeenNotified());
  EXPECT_TRUE(timers.Disarm(&far));
}

TEST(ThreadTimerServiceTest, ADisarmedTimerDoesNotFire) {
  SystemClock clock;
  ThreadTimerService timers(clock);
  NotifyingTimer disarmed(clock);
  NotifyingTimer later(clock);
  const int64_t deadline_ns = clock.MonotonicNs() + 50'000'000;
  timers.Arm(&disarmed, deadline_ns);
  EXPECT_TRUE(timers.Disarm(&disarmed));
  EXPECT_FALSE(timers.Disarm(&disarmed));
  timers.Arm(&later, deadline_ns + 1'000'000);
  later.fired.WaitForNotification();
  EXPECT_FALSE(disarmed.fired.HasBeenNotified());
}

// Arms itself again from its own OnTimer.
class PeriodicTimer final : public Timer {
 public:
  PeriodicTimer(TimerService* timers, int64_t first_ns) : timers_(timers), next_ns_(first_ns) {
    timers_->Arm(this, next_ns_);
  }
  void OnTimer() override {
    if (--left_ == 0) return done.Notify();
    next_ns_ += 10'000;
    timers_->Arm(this, next_ns_);
  }
  absl::Notification done;

 private:
  TimerService* const timers_;
  int64_t next_ns_;
  int left_ = 100;
};

TEST(ThreadTimerServiceTest, ATimerMayArmItselfAgainWhileItFires) {
  SystemClock clock;
  ThreadTimerService timers(clock);
  const int64_t first_ns = clock.MonotonicNs();
  PeriodicTimer timer(&timers, first_ns);
  timer.done.WaitForNotification();
  EXPECT_GE(clock.MonotonicNs(),
            first_ns + 99 * 10'000);  // the hundredth firing, not before its time
}

}  // namespace
}  // namespace distbench
