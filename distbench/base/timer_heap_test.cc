#include "distbench/base/timer_heap.h"

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class IdleTimer final : public Timer {
 public:
  void OnTimer() override {}
  int64_t deadline_ns = 0;
};

TEST(TimerHeapTest, TimersComeOutInTheOrderOfTheirDeadlines) {
  std::mt19937 random(1);
  std::deque<IdleTimer> timers(1000);
  TimerHeap heap;
  for (IdleTimer& timer : timers) {
    timer.deadline_ns = random() % 500;
    heap.Insert(&timer, timer.deadline_ns);
  }
  int64_t previous_ns = -1;
  for (size_t i = 0; i < timers.size(); ++i) {
    const int64_t announced_ns = heap.earliest_deadline_ns();
    auto* timer = static_cast<IdleTimer*>(heap.PopEarliest());
    EXPECT_EQ(timer->deadline_ns, announced_ns);
    EXPECT_GE(timer->deadline_ns, previous_ns);
    previous_ns = timer->deadline_ns;
  }
  EXPECT_TRUE(heap.empty());
}

TEST(TimerHeapTest, ARemovedTimerDoesNotComeOutAndTheOthersDo) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    std::deque<IdleTimer> timers(64);
    TimerHeap heap;
    for (IdleTimer& timer : timers) {
      timer.deadline_ns = random() % 100;
      heap.Insert(&timer, timer.deadline_ns);
    }
    std::vector<int64_t> expected;
    for (IdleTimer& timer : timers) {
      if (random() % 2 == 0) {
        EXPECT_TRUE(heap.Remove(&timer));
        EXPECT_FALSE(heap.Remove(&timer));
      } else {
        expected.push_back(timer.deadline_ns);
      }
    }
    std::sort(expected.begin(), expected.end());
    std::vector<int64_t> popped;
    while (!heap.empty()) {
      popped.push_back(static_cast<IdleTimer*>(heap.PopEarliest())->deadline_ns);
    }
    EXPECT_EQ(popped, expected);
  }
}

}  // namespace
}  // namespace distbench
