#include "distbench/engine/workers.h"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class FunctionJob final : public Workers::Job {
 public:
  explicit FunctionJob(std::function<void()> function) : function_(std::move(function)) {}
  void RunOnWorker() override { function_(); }

 private:
  const std::function<void()> function_;
};

TEST(WorkersTest, SharedJobsRunAsManyAtATimeAsThereAreThreads) {
  Workers workers(3);
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  absl::BlockingCounter left(300);
  FunctionJob job([&] {
    const int now = ++running;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    --running;
    left.DecrementCount();
  });
  std::vector<std::unique_ptr<FunctionJob>> jobs;
  for (int i = 0; i < 300; ++i) {
    jobs.push_back(std::make_unique<FunctionJob>([&job] { job.RunOnWorker(); }));
    workers.Post(jobs.back().get());
  }
  left.Wait();
  EXPECT_LE(most.load(), 3);

  // All three at once: each waits for the others.
  auto* barrier = new absl::Barrier(3);
  absl::BlockingCounter ended(3);
  FunctionJob meeting([&] {
    if (barrier->Block()) delete barrier;
    ended.DecrementCount();
  });
  FunctionJob second([&] { meeting.RunOnWorker(); }), third([&] { meeting.RunOnWorker(); });
  workers.Post(&meeting);
  workers.Post(&second);
  workers.Post(&third);
  ended.Wait();
}

TEST(WorkersTest, AJobAloneHoldsUpNobody) {
  Workers workers(1);
  absl::Notification release;
  absl::BlockingCounter begun(5);
  absl::BlockingCounter ended(5);
  std::atomic<int> running{0};
  std::vector<std::unique_ptr<FunctionJob>> antagonists;
  for (int i = 0; i < 5; ++i) {
    antagonists.push_back(std::make_unique<FunctionJob>([&] {
      ++running;
      begun.DecrementCount();
      release.WaitForNotification();
      --running;
      ended.DecrementCount();
    }));
    workers.PostAlone(antagonists.back().get());
  }
  begun.Wait();
  absl::Notification shared_ran;
  int running_beside = 0;
  FunctionJob shared([&] {
    running_beside = running;
    shared_ran.Notify();
  });
  workers.Post(&shared);
  shared_ran.WaitForNotification();
  EXPECT_EQ(running_beside, 5);
  release.Notify();
  ended.Wait();
  EXPECT_EQ(running.load(), 0);
}

TEST(WorkersTest, AJobMayBePostedAgainFromItself) {
  Workers workers(2);
  int runs = 0;
  absl::Notification done;
  std::unique_ptr<FunctionJob> job;
  job = std::make_unique<FunctionJob>([&] {
    if (++runs == 100) {
      done.Notify();
    } else {
      workers.Post(job.get());
    }
  });
  workers.Post(job.get());
  done.WaitForNotification();
  EXPECT_EQ(runs, 100);
}

TEST(WorkersTest, TheEndRunsWhatWasPosted) {
  std::atomic<int> runs{0};
  FunctionJob one([&] { ++runs; }), other([&] { ++runs; }), alone([&] { ++runs; });
  {
    Workers workers(1);
    workers.Post(&one);
    workers.Post(&other);
    workers.PostAlone(&alone);
  }
  EXPECT_EQ(runs.load(), 3);
}

}  // namespace
}  // namespace distbench
