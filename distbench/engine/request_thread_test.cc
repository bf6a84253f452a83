#include "distbench/engine/request_thread.h"

#include <atomic>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class FunctionJob final : public JobQueue::Job {
 public:
  explicit FunctionJob(std::function<void()> function) : function_(std::move(function)) {}
  void RunOnWorker() override { function_(); }

 private:
  const std::function<void()> function_;
};

TEST(RequestThreadTest, RunsItsJobsInOrderOnOneThreadOfItsOwn) {
  std::vector<std::pair<int, std::thread::id>> ran;
  FunctionJob first([&] { ran.emplace_back(1, std::this_thread::get_id()); });
  FunctionJob second([&] { ran.emplace_back(2, std::this_thread::get_id()); });
  {
    Workers workers(1);
    RequestThread* thread = *RequestThread::Start(&workers);
    ASSERT_TRUE(thread->Post(&first).ok());
    ASSERT_TRUE(thread->Post(&second).ok());
    thread->Release();
  }
  ASSERT_EQ(ran.size(), 2u);
  EXPECT_EQ(ran[0].first, 1);
  EXPECT_EQ(ran[1].first, 2);
  EXPECT_EQ(ran[0].second, ran[1].second);
  EXPECT_NE(ran[0].second, std::this_thread::get_id());
}

TEST(RequestThreadTest, MayBeReleasedByItsJob) {
  std::atomic<int> runs{0};
  {
    Workers workers(1);
    RequestThread* thread = *RequestThread::Start(&workers);
    absl::Notification released;
    FunctionJob job([&] {
      ++runs;
      thread->Release();
      released.Notify();
    });
    ASSERT_TRUE(thread->Post(&job).ok());
    released.WaitForNotification();
  }
  // The thread has ended: the workers joined it.
  EXPECT_EQ(runs.load(), 1);
}

TEST(RequestThreadTest, DoesNotWaitForOthers) {
  absl::Notification go;
  std::atomic<bool> has_waited{false};
  FunctionJob waits([&] {
    go.WaitForNotification();
    has_waited = true;
  });
  FunctionJob lets_go([&] { go.Notify(); });
  {
    Workers workers(1);
    RequestThread* busy = *RequestThread::Start(&workers);
    ASSERT_TRUE(busy->Post(&waits).ok());
    busy->Release();
    RequestThread* other = *RequestThread::Start(&workers);
    ASSERT_TRUE(other->Post(&lets_go).ok());
    other->Release();
  }
  EXPECT_TRUE(has_waited.load()) << "the one thread let the other go on";
}

}  // namespace
}  // namespace distbench
