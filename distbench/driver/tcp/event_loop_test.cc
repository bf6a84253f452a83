#include "distbench/driver/tcp/event_loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/base/member_timer.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Notes what happens to it. Its descriptor is an eventfd.
class Recorder final : public LoopMember {
 public:
  void OnReady(uint32_t epoll_events) override {
    events.push_back("ready");
    if (on_ready != nullptr) on_ready();
  }
  void Flush() override {
    events.push_back("flush");
    if (on_flush != nullptr) on_flush();
  }

  void MakeReady() const {
    const uint64_t one = 1;
    ASSERT_EQ(write(socket.fd(), &one, sizeof(one)), ssize_t{sizeof(one)});
  }

  const OwnedSocket socket{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::vector<std::string> events;  // the loop's thread's
  std::function<void()> on_ready;
  std::function<void()> on_flush;
};

class EventLoopTest : public testing::TestWithParam<PollMode> {
 protected:
  EventLoop loop_{{.number = 0, .poll = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Tcp, EventLoopTest, testing::Values(PollMode::kBlock, PollMode::kSpin),
                         [](const auto& mode) {
                           return mode.param == PollMode::kBlock ? "Blocking" : "Spinning";
                         });

TEST_P(EventLoopTest, TasksRunOnTheLoopsThreadInOrder) {
  std::vector<int> order;
  EXPECT_EQ(EventLoop::Current(), nullptr);
  for (int i = 0; i < 100; ++i) {
    loop_.Post([&, i] {
      EXPECT_EQ(EventLoop::Current(), &loop_);
      order.push_back(i);
    });
  }
  loop_.RunAndWait([] {});
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

// A wake-up that got lost would leave this test waiting.
TEST_P(EventLoopTest, NoTaskOfManyThreadsIsForgotten) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 2000;
  int runs = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int task = 0; task < kTasks; ++task) loop_.RunAndWait([&] { ++runs; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, kThreads * kTasks);
}

TEST_P(EventLoopTest, MemberHearsOfNewsUntilItIsRemoved) {
  auto member = std::make_shared<Recorder>();
  const auto ready_count = [&] {
    size_t count = 0;
    loop_.RunAndWait([&] { count = member->events.size(); });
    return count;
  };
  loop_.RunAndWait([&] { EXPECT_TRUE(loop_.Add(member->socket.fd(), member)); });
  while (ready_count() == 0) std::this_thread::yield();  // it is writable from the start
  member->MakeReady();
  while (ready_count() == 1) std::this_thread::yield();
  loop_.RunAndWait([&] { loop_.Remove(member->socket.fd()); });
  const size_t before = ready_count();
  member->MakeReady();
  EXPECT_EQ(ready_count(), before);
  loop_.RunAndWait([] {});
  EXPECT_EQ(member.use_count(), 1);
}

TEST_P(EventLoopTest, FlushesComeAtTheEndOfTheTurn) {
  auto member = std::make_shared<Recorder>();
  absl::Notification flushed;
  member->on_flush = [&] { flushed.Notify(); };
  loop_.RunAndWait([&] {
    loop_.FlushSoon(member.get());
    EXPECT_TRUE(member->events.empty());
    // Another task of the same turn.
    loop_.Continue(member);
  });
  flushed.WaitForNotification();
  loop_.RunAndWait([] {});
  EXPECT_EQ(member->events, (std::vector<std::string>{"flush", "ready"}));
}

TEST_P(EventLoopTest, TheActiveMemberIsFlushedWhenItIsDoneAndOthersAtTheEndOfTheTurn) {
  auto other = std::make_shared<Recorder>();
  auto member = std::make_shared<Recorder>();
  std::vector<std::string> order;
  member->on_ready = [&] {
    EXPECT_EQ(loop_.active(), member.get());
    loop_.FlushSoon(other.get());
    loop_.FlushSoon(member.get());
    order.push_back("ready");
  };
  absl::Notification flushed;
  member->on_flush = [&] { order.push_back("own flush"); };
  other->on_flush = [&] {
    order.push_back("other's flush");
    flushed.Notify();
  };
  loop_.Continue(member);
  flushed.WaitForNotification();
  loop_.RunAndWait([&] { EXPECT_EQ(loop_.active(), nullptr); });
  EXPECT_EQ(order, (std::vector<std::string>{"ready", "own flush", "other's flush"}));
}

TEST_P(EventLoopTest, PostedFlushComes) {
  auto member = std::make_shared<Recorder>();
  absl::Notification flushed;
  member->on_flush = [&] { flushed.Notify(); };
  loop_.PostFlush(member);
  flushed.WaitForNotification();
  loop_.RunAndWait([&] { EXPECT_EQ(member->events.size(), 1u); });
}

// Three timers, one of which is disarmed.
struct Alarms {
  explicit Alarms(EventLoop* on_loop) : loop(on_loop) {}

  void Arm() {
    loop->Arm(&late, absl::Milliseconds(20));
    loop->Arm(&never, absl::Milliseconds(10));
    loop->Arm(&early, absl::Milliseconds(1));
  }
  void OnEarly() {
    order.push_back("early");
    EXPECT_TRUE(loop->Disarm(&never));
    EXPECT_FALSE(loop->Disarm(&early));
  }
  void OnNever() { order.push_back("never"); }
  void OnLate() {
    order.push_back("late");
    done.Notify();
  }

  EventLoop* loop;
  std::vector<std::string> order;
  absl::Notification done;
  MemberTimer<Alarms, &Alarms::OnEarly> early{this};
  MemberTimer<Alarms, &Alarms::OnNever> never{this};
  MemberTimer<Alarms, &Alarms::OnLate> late{this};
};

TEST_P(EventLoopTest, TimersFireInOrderUnlessDisarmed) {
  Alarms alarms(&loop_);
  loop_.RunAndWait([&] { alarms.Arm(); });
  alarms.done.WaitForNotification();
  EXPECT_EQ(alarms.order, (std::vector<std::string>{"early", "late"}));
}

}  // namespace
}  // namespace distbench
