#include "distbench/base/serial_executor.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class CallbackTask final : public SerialExecutor::Task {
 public:
  explicit CallbackTask(std::function<void()> callback) : callback_(std::move(callback)) {}
  void Run() override { callback_(); }

 private:
  std::function<void()> callback_;
};

// Keeps what it is given until a test resumes it.
class HeldRelief final : public SerialExecutor::Relief {
 public:
  void TakeOver(SerialExecutor* executor) override { held.push_back(executor); }
  std::vector<SerialExecutor*> held;
};

TEST(SerialExecutorTest, ATaskPostedToAnIdleExecutorRunsBeforePostReturns) {
  SerialExecutor executor;
  bool ran = false;
  CallbackTask task([&] { ran = true; });
  executor.Post(&task);
  EXPECT_TRUE(ran);
}

TEST(SerialExecutorTest, ATaskPostedByATaskRunsAfterItNotInside) {
  SerialExecutor executor;
  std::vector<int> order;
  CallbackTask second([&] { order.push_back(2); });
  CallbackTask third([&] { order.push_back(3); });
  CallbackTask first([&] {
    executor.Post(&second);
    executor.Post(&third);
    order.push_back(1);
  });
  executor.Post(&first);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(SerialExecutorTest, ATaskMayPostItselfAgain) {
  SerialExecutor executor;
  int runs = 0;
  std::unique_ptr<CallbackTask> task;
  task = std::make_unique<CallbackTask>([&] {
    if (++runs < 100'000) executor.Post(task.get());
  });
  executor.Post(task.get());
  EXPECT_EQ(runs, 100'000);
}

TEST(SerialExecutorTest, ARunnerThatUsedUpItsBudgetHandsOverTheRestInOrder) {
  HeldRelief relief;
  SerialExecutor executor(&relief, /*budget=*/2);
  std::vector<int> order;
  std::vector<std::unique_ptr<CallbackTask>> tasks;
  for (int i = 0; i < 5; ++i) {
    tasks.push_back(std::make_unique<CallbackTask>([&order, i] { order.push_back(i); }));
  }
  CallbackTask first([&] {
    for (auto& task : tasks) executor.Post(task.get());
  });
  executor.Post(&first);
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
  ASSERT_EQ(relief.held.size(), 1u);

  CallbackTask late([&] { order.push_back(99); });
  executor.Post(&late);  // the relief is the runner now
  EXPECT_EQ(order.size(), 2u);

  // The relief's budget is the same: others get their turn in between.
  relief.held[0]->ResumeRunning();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  ASSERT_EQ(relief.held.size(), 2u);
  relief.held[1]->ResumeRunning();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 99}));
  EXPECT_EQ(relief.held.size(), 2u);
}

TEST(SerialExecutorTest, PostToReliefRunsNothingOnTheCallersThread) {
  HeldRelief relief;
  SerialExecutor executor(&relief);
  bool ran = false;
  CallbackTask task([&] { ran = true; });
  executor.PostToRelief(&task);
  EXPECT_FALSE(ran);
  ASSERT_EQ(relief.held.size(), 1u);
  relief.held.front()->ResumeRunning();
  EXPECT_TRUE(ran);
}

// Without the executor's exclusion the plain counter would lose increments (and TSAN would say so).
TEST(SerialExecutorTest, TasksOfManyThreadsExcludeEachOtherAndNoneIsLost) {
  constexpr int kThreads = 4;
  constexpr int kTasksEach = 20'000;
  int64_t counter = 0;
  std::vector<std::vector<int>> seen(kThreads);
  {
    SerialExecutor executor;
    std::vector<std::vector<std::unique_ptr<CallbackTask>>> tasks(kThreads);
    for (int t = 0; t < kThreads; ++t) {
      for (int i = 0; i < kTasksEach; ++i) {
        tasks[t].push_back(std::make_unique<CallbackTask>([&counter, &seen, t, i] {
          ++counter;
          seen[t].push_back(i);
        }));
      }
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&executor, &tasks, t] {
        for (auto& task : tasks[t]) executor.Post(task.get());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(counter, int64_t{kThreads} * kTasksEach);
  for (const std::vector<int>& order : seen) {
    for (int i = 0; i < kTasksEach; ++i) ASSERT_EQ(order[i], i);
  }
}

TEST(SerialExecutorTest, ATaskKnowsWhetherItsPosterRunsIt) {
  SerialExecutor executor;
  std::vector<bool> seen;
  CallbackTask second([&] { seen.push_back(executor.runs_poster()); });
  CallbackTask first([&] {
    seen.push_back(executor.runs_poster());
    executor.Post(&second);
  });
  executor.Post(&first);
  EXPECT_EQ(seen, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace distbench
