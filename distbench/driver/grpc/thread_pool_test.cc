#include "distbench/driver/grpc/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class Task final : public PoolTask {
 public:
  explicit Task(std::function<void()> body) : body_(std::move(body)) {}
  void RunInPool() override { body_(); }

 private:
  const std::function<void()> body_;
};

std::vector<std::unique_ptr<Task>> Copies(int count, const std::function<void()>& body) {
  std::vector<std::unique_ptr<Task>> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back(std::make_unique<Task>(body));
  return tasks;
}

TEST(ThreadPoolTest, OneThreadRunsTasksInTheOrderOfPosting) {
  std::vector<int> order;
  std::vector<std::unique_ptr<Task>> tasks;
  for (int i = 0; i < 100; ++i) {
    tasks.push_back(std::make_unique<Task>([&order, i] { order.push_back(i); }));
  }
  {
    ThreadPool pool({.growth = PoolGrowth::kFixed, .size = 1});
    for (const auto& task : tasks) pool.Post(task.get());
  }
  EXPECT_EQ(order.size(), 100u);  // the pool's end waits for what was posted
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(ThreadPoolTest, FixedPoolRunsAtMostItsSizeAtATime) {
  constexpr int kTasks = 200;
  absl::Mutex mutex;
  int at_work = 0;
  int most_at_work = 0;
  const auto tasks = Copies(kTasks, [&] {
    {
      absl::MutexLock lock(&mutex);
      most_at_work = std::max(most_at_work, ++at_work);
    }
    absl::MutexLock lock(&mutex);
    --at_work;
  });
  {
    ThreadPool pool({.growth = PoolGrowth::kFixed, .size = 3});
    for (const auto& task : tasks) pool.Post(task.get());
    EXPECT_EQ(pool.thread_count(), 3u);
  }
  EXPECT_LE(most_at_work, 3);
  EXPECT_EQ(at_work, 0);
}

// Each task waits for all others: in a fixed pool they would wait for ever.
TEST(ThreadPoolTest, NoTaskOfAnElasticPoolWaitsForAnother) {
  constexpr int kTasks = 20;
  absl::Barrier all_at_work(kTasks + 1);
  const auto tasks = Copies(kTasks, [&] { all_at_work.Block(); });
  ThreadPool pool({.growth = PoolGrowth::kElastic, .size = 2});
  for (const auto& task : tasks) pool.Post(task.get());
  EXPECT_GE(pool.thread_count(), static_cast<size_t>(kTasks));
  all_at_work.Block();
}

TEST(ThreadPoolTest, ElasticPoolShrinksToItsSize) {
  constexpr int kTasks = 20;
  absl::Barrier all_at_work(kTasks + 1);
  const auto tasks = Copies(kTasks, [&] { all_at_work.Block(); });
  ThreadPool pool({.growth = PoolGrowth::kElastic, .size = 2, .idle_limit = absl::ZeroDuration()});
  for (const auto& task : tasks) pool.Post(task.get());
  all_at_work.Block();
  while (pool.thread_count() > 2) std::this_thread::yield();
  EXPECT_EQ(pool.thread_count(), 2u);
}

TEST(ThreadPoolTest, ElasticPoolStopsGrowingAtItsLimit) {
  constexpr size_t kTasks = ThreadPool::kMaxElasticThreads + 50;
  absl::BlockingCounter first_at_work(ThreadPool::kMaxElasticThreads);
  absl::BlockingCounter ended(kTasks);
  absl::Notification go_on;
  std::atomic<size_t> begun{0};
  const auto tasks = Copies(kTasks, [&] {
    if (begun.fetch_add(1) < ThreadPool::kMaxElasticThreads) first_at_work.DecrementCount();
    go_on.WaitForNotification();
    ended.DecrementCount();
  });
  ThreadPool pool({.growth = PoolGrowth::kElastic, .size = 1});
  for (const auto& task : tasks) pool.Post(task.get());
  first_at_work.Wait();
  EXPECT_EQ(pool.thread_count(), ThreadPool::kMaxElasticThreads);
  go_on.Notify();
  ended.Wait();
}

}  // namespace
}  // namespace distbench
