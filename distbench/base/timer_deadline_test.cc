#include "distbench/base/timer_deadline.h"

#include <sys/resource.h>

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// Moves on by 10 ns with each reading, so that nothing but looking at it makes time pass. It is far
// behind CLOCK_MONOTONIC: what asks the kernel to sleep is woken at once.
class TickingClock final : public Clock {
 public:
  int64_t MonotonicNs() const override {
    now_ns_ += 10;
    if (now_ns_ == call_at_ns) call();
    return now_ns_;
  }
  int64_t WallNs() const override { return MonotonicNs(); }

  int64_t call_at_ns = 0;
  std::function<void()> call;

 private:
  mutable int64_t now_ns_ = 0;
};

TEST(TimerDeadlineTest, ASpinningWaitEndsWithTheFirstReadingThatReachesTheDeadline) {
  TickingClock clock;
  TimerDeadline deadline(clock, TimerDeadline::kAlwaysSpin);
  deadline.Set(1000);
  EXPECT_EQ(deadline.Await(), 1000);
  EXPECT_EQ(deadline.Await(), 1010) << "it has passed";
  deadline.Set(1995);
  EXPECT_EQ(deadline.Await(), 2000);
}

TEST(TimerDeadlineTest, ASpinningWaitFollowsADeadlineThatMoves) {
  const std::pair<int64_t, int64_t> moves[] = {{600, 600}, {2000, 2000}, {100, 500}};
  for (const auto& [moved_to_ns, returns_ns] : moves) {
    TickingClock clock;
    TimerDeadline deadline(clock, TimerDeadline::kAlwaysSpin);
    deadline.Set(1000);
    clock.call_at_ns = 490;
    clock.call = [&deadline, to_ns = moved_to_ns] { deadline.Set(to_ns); };
    EXPECT_EQ(deadline.Await(), returns_ns);
  }
}

TEST(TimerDeadlineTest, AHybridWaitReturnsNoEarlierThanASpinningOne) {
  TickingClock clock;
  TimerDeadline deadline(clock, /*spin_before_ns=*/100);
  deadline.Set(1000);
  EXPECT_EQ(deadline.Await(), 1000);
}

// --- On the real clock

int64_t TimesSlept() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(TimerDeadlineTest, OnlyASpinningWaitNeverSleeps) {
  const SystemClock clock;
  for (const bool spins : {false, true}) {
    TimerDeadline deadline(clock, spins ? TimerDeadline::kAlwaysSpin : 0);
    const int64_t slept_before = TimesSlept();
    for (int i = 0; i < 10; ++i) {
      deadline.Set(clock.MonotonicNs() + 1'000'000);
      deadline.Await();
    }
    if (spins) {
      EXPECT_EQ(TimesSlept(), slept_before);
    } else {
      EXPECT_GT(TimesSlept(), slept_before);
    }
  }
}

TEST(TimerDeadlineTest, ADeadlineThatIsPutOffDisturbsNobodysSleep) {
  const SystemClock clock;
  TimerDeadline deadline(clock, /*spin_before_ns=*/0);
  const int64_t far_ns = clock.MonotonicNs() + 3'600'000'000'000;
  deadline.Set(far_ns);
  int64_t slept = 0;
  std::thread waiting([&] {
    const int64_t slept_before = TimesSlept();
    deadline.Await();
    slept = TimesSlept() - slept_before;
  });
  for (int i = 0; i < 5'000; ++i) {
    deadline.Set(far_ns + i);
    std::this_thread::yield();
  }
  deadline.Set(0);
  waiting.join();
  EXPECT_LT(slept, 5);
}

// A wake-up that is lost leaves the waiting thread asleep, and the test without end.
TEST(TimerDeadlineTest, ASleepingThreadHearsOfEveryNearerDeadline) {
  const SystemClock clock;
  for (const int64_t spin_before_ns : {int64_t{0}, int64_t{100'000}, TimerDeadline::kAlwaysSpin}) {
    TimerDeadline deadline(clock, spin_before_ns);
    std::atomic<int> wanted{0};
    std::atomic<int> seen{0};
    constexpr int kRounds = 2000;
    std::thread waiting([&] {
      for (int round = 1; round <= kRounds; ++round) {
        deadline.Await();
        deadline.Set(TimerDeadline::kNever);
        seen.store(round);
        while (wanted.load() == round) std::this_thread::yield();
      }
    });
    for (int round = 1; round <= kRounds; ++round) {
      deadline.Set(clock.MonotonicNs() + 3'600'000'000'000);
      wanted.store(round);
      deadline.Set(0);
      while (seen.load() < round) std::this_thread::yield();
    }
    wanted.store(0);
    waiting.join();
    EXPECT_EQ(seen.load(), kRounds) << spin_before_ns;
  }
}

}  // namespace
}  // namespace distbench
