#include "distbench/node/work_queue.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

TEST(WorkPoolTest, RunsEverythingBeforeItsEnd) {
  std::atomic<int> done{0};
  {
    WorkPool pool(2);
    for (int i = 0; i < 1000; ++i) pool.Submit([&] { ++done; });
  }
  EXPECT_EQ(done, 1000);
}

TEST(WorkQueueTest, RunsWorkInOrderAndWaitsForItAtItsEnd) {
  WorkPool pool(2);
  std::vector<int> order;  // without a lock: the queue is one
  {
    WorkQueue queue(&pool);
    absl::Notification all_submitted;
    queue.Submit([&] {
      all_submitted.WaitForNotification();
      queue.Submit([&] { order.push_back(2); });
    });
    queue.Submit([&] { order.push_back(0); });
    queue.Submit([&] { order.push_back(1); });
    all_submitted.Notify();
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
}

TEST(WorkQueueTest, RunsOnePieceAtATime) {
  WorkPool pool(2);
  int at_work = 0, most_at_work = 0, done = 0;  // guarded by the queue
  {
    WorkQueue queue(&pool);
    for (int i = 0; i < 2000; ++i) {
      queue.Submit([&] {
        most_at_work = std::max(most_at_work, ++at_work);
        ++done;
        --at_work;
      });
    }
  }
  EXPECT_EQ(done, 2000);
  EXPECT_EQ(most_at_work, 1);
}

TEST(WorkQueueTest, AQueueThatWaitsDoesNotHoldUpAnother) {
  absl::Notification released;
  std::atomic<bool> has_waited{false};
  // Last, so that they end their work first.
  WorkPool pool(2);
  WorkQueue waiting(&pool), working(&pool);
  waiting.Submit([&] {
    released.WaitForNotification();
    has_waited = true;
  });
  working.Submit([&] {
    EXPECT_FALSE(has_waited);
    released.Notify();
  });
  released.WaitForNotification();
}

TEST(WorkQueueTest, QueuesTakeTurns) {
  WorkPool pool(1);
  absl::Notification all_submitted;
  pool.Submit([&] { all_submitted.WaitForNotification(); });
  std::vector<char> turns;
  {
    WorkQueue a(&pool), b(&pool);
    for (int i = 0; i < 2; ++i) a.Submit([&] { turns.push_back('a'); });
    for (int i = 0; i < 2; ++i) b.Submit([&] { turns.push_back('b'); });
    all_submitted.Notify();
  }
  EXPECT_THAT(turns, ElementsAre('a', 'b', 'a', 'b'));
}

}  // namespace
}  // namespace distbench
