#include "distbench/sequencer/mailbox.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "distbench/base/thread_timer_service.h"
#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/simulated_mailbox.h"

namespace distbench {
namespace {

TEST(ThreadMailboxTest, RunsTasksOfOtherThreadsInTheOrderOfTheirPosting) {
  ThreadMailbox mailbox;
  std::vector<int> seen;  // no lock: touched by tasks only
  std::thread poster([&] {
    for (int i = 0; i < 1000; ++i) mailbox.Post([&seen, i] { seen.push_back(i); });
  });
  mailbox.RunUntil([&] { return seen.size() == 1000; });
  poster.join();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen[i], i);
}

TEST(AlarmTest, RingsAtItsDeadlineOnTheMailboxesThread) {
  SimulatedTime time;
  SimulatedMailbox mailbox(time);
  const int64_t deadline_ns = time.MonotonicNs() + 5'000;
  Alarm alarm(time, mailbox, deadline_ns);
  EXPECT_FALSE(alarm.rung());
  mailbox.RunUntil([&] { return alarm.rung(); });
  EXPECT_EQ(time.MonotonicNs(), deadline_ns);
}

TEST(AlarmTest, DestroyedBeforeItsDeadlineItNeverPosts) {
  SimulatedTime time;
  SimulatedMailbox mailbox(time);
  { Alarm alarm(time, mailbox, time.MonotonicNs() + 5'000); }
  EXPECT_FALSE(time.RunNextTimer());
}

TEST(AlarmTest, DestroyedWhileItFiresItWaitsForItsTask) {
  const SystemClock clock;
  ThreadTimerService timers(clock);
  ThreadMailbox mailbox;
  for (int i = 0; i < 1000; ++i) {
    Alarm alarm(timers, mailbox, clock.MonotonicNs() + i * 20);
  }
  // No task of an alarm is left behind: the next one is ours.
  bool ran = false;
  mailbox.Post([&ran] { ran = true; });
  mailbox.RunOne();
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace distbench
