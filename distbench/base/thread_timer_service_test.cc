#include "distbench/base/thread_timer_service.h"

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

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

// The promises hold however the thread waits: for each time that it spins before a deadline.
class ThreadTimerServiceTest : public testing::TestWithParam<int64_t> {
 protected:
  const SystemClock clock_;
  ThreadTimerService timers_{clock_, {.spin_before_ns = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(SleepHybridSpin, ThreadTimerServiceTest,
                         testing::Values(0, 100'000, TimerDeadline::kAlwaysSpin));

TEST_P(ThreadTimerServiceTest, FiresAtOrAfterTheDeadline) {
  NotifyingTimer timer(clock_);
  const int64_t deadline_ns = clock_.MonotonicNs() + 2'000'000;
  timers_.Arm(&timer, deadline_ns);
  timer.fired.WaitForNotification();
  EXPECT_GE(timer.fired_at_ns, deadline_ns);
}

TEST_P(ThreadTimerServiceTest, AnEarlierTimerArmedLaterFiresFirst) {
  NotifyingTimer far(clock_);
  NotifyingTimer near(clock_);
  const int64_t now_ns = clock_.MonotonicNs();
  timers_.Arm(&far, now_ns + 3'600'000'000'000);
  timers_.Arm(&near, now_ns);
  near.fired.WaitForNotification();
  EXPECT_FALSE(far.fired.HasBeenNotified());
  EXPECT_TRUE(timers_.Disarm(&far));
}

TEST_P(ThreadTimerServiceTest, ADisarmedTimerDoesNotFire) {
  NotifyingTimer disarmed(clock_);
  NotifyingTimer later(clock_);
  const int64_t deadline_ns = clock_.MonotonicNs() + 50'000'000;
  timers_.Arm(&disarmed, deadline_ns);
  EXPECT_TRUE(timers_.Disarm(&disarmed));
  EXPECT_FALSE(timers_.Disarm(&disarmed));
  timers_.Arm(&later, deadline_ns + 1'000'000);
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

TEST_P(ThreadTimerServiceTest, ATimerMayArmItselfAgainWhileItFires) {
  const int64_t first_ns = clock_.MonotonicNs();
  PeriodicTimer timer(&timers_, first_ns);
  timer.done.WaitForNotification();
  EXPECT_GE(clock_.MonotonicNs(),
            first_ns + 99 * 10'000);  // the hundredth firing, not before its time
}

// Tells of each firing in a common order.
class OrderedTimer final : public Timer {
 public:
  explicit OrderedTimer(std::vector<const Timer*>* order) : order_(order) {}
  void OnTimer() override { order_->push_back(this); }

 private:
  std::vector<const Timer*>* const order_;  // the service's thread alone writes it
};

TEST_P(ThreadTimerServiceTest, TimersFireInTheOrderOfTheirDeadlines) {
  std::vector<const Timer*> order;
  std::deque<OrderedTimer> timers;
  // Ahead of now, so that all are armed before the first is due. Even if some are not: each is due
  // later than those armed before it.
  const int64_t start_ns = clock_.MonotonicNs() + 1'000'000;
  for (int i = 0; i < 100; ++i) timers_.Arm(&timers.emplace_back(&order), start_ns + i * 1000);
  NotifyingTimer last(clock_);
  timers_.Arm(&last, start_ns + 1'000'000);
  last.fired.WaitForNotification();
  std::vector<const Timer*> expected;
  for (const OrderedTimer& timer : timers) expected.push_back(&timer);
  EXPECT_EQ(order, expected);
}

class CountingTimer final : public Timer {
 public:
  explicit CountingTimer(std::atomic<int>* total) : total_(total) {}
  void OnTimer() override {
    ++fired;
    total_->fetch_add(1);
  }
  int fired = 0;

 private:
  std::atomic<int>* const total_;
};

TEST_P(ThreadTimerServiceTest, ADisarmThatRacesWithTheDeadlineDecidesEitherWay) {
  std::mt19937 random(1);
  std::atomic<int> fired{0};
  int disarmed = 0;
  std::deque<CountingTimer> timers;
  std::vector<bool> was_disarmed;
  constexpr int kTimers = 2000;
  for (int i = 0; i < kTimers; ++i) {
    CountingTimer& timer = timers.emplace_back(&fired);
    const int64_t deadline_ns = clock_.MonotonicNs() + random() % 50'000;
    timers_.Arm(&timer, deadline_ns);
    while (clock_.MonotonicNs() < deadline_ns - 2'000 + static_cast<int64_t>(random() % 4'000)) {
    }
    was_disarmed.push_back(timers_.Disarm(&timer));
    if (was_disarmed.back()) ++disarmed;
  }
  while (fired.load() < kTimers - disarmed) std::this_thread::yield();
  for (int i = 0; i < kTimers; ++i) EXPECT_EQ(timers[i].fired, was_disarmed[i] ? 0 : 1) << i;
}

int64_t ProcessCpuNs() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

TEST_P(ThreadTimerServiceTest, NoCpuIsBurntWhileNoTimerIsArmed) {
  NotifyingTimer fired(clock_);
  timers_.Arm(&fired, clock_.MonotonicNs());
  fired.fired.WaitForNotification();
  NotifyingTimer disarmed(clock_);
  timers_.Arm(&disarmed, clock_.MonotonicNs() + 3'600'000'000'000);
  EXPECT_TRUE(timers_.Disarm(&disarmed));

  ThreadTimerService stopwatch(clock_);
  NotifyingTimer end(clock_);
  const int64_t cpu_before_ns = ProcessCpuNs();
  stopwatch.Arm(&end, clock_.MonotonicNs() + 100'000'000);
  end.fired.WaitForNotification();
  EXPECT_LT(ProcessCpuNs() - cpu_before_ns, 10'000'000);
}

TEST(ThreadTimerServiceThreadTest, HasItsNameAndIsNoLoop) {
  class Look final : public Timer {
   public:
    void OnTimer() override {
      char text[16];
      pthread_getname_np(pthread_self(), text, sizeof(text));
      name = text;
      affinity = CpuList::OfThisThread().ToString();
      done.Notify();
    }
    std::string name;
    std::string affinity;
    absl::Notification done;
  };
  const SystemClock clock;
  const CpuList cpus = CpuList::OfThisThread();
  Look look;
  std::thread([&] {
    const LoopPlacement placement(cpus);
    placement.EnterLoop(0);
    ThreadTimerService timers(clock, {.name = "a-name", .placement = placement});
    timers.Arm(&look, clock.MonotonicNs());
    look.done.WaitForNotification();
  }).join();
  EXPECT_EQ(look.name, "a-name");
  EXPECT_EQ(look.affinity, cpus.ToString());
}

}  // namespace
}  // namespace distbench
