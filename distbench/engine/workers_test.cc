#include "distbench/engine/workers.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "distbench/base/start_thread.h"
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
    ASSERT_TRUE(workers.Post(jobs.back().get()).ok());
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
  ASSERT_TRUE(workers.Post(&meeting).ok());
  ASSERT_TRUE(workers.Post(&second).ok());
  ASSERT_TRUE(workers.Post(&third).ok());
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
    ASSERT_TRUE(workers.PostAlone(antagonists.back().get()).ok());
  }
  begun.Wait();
  absl::Notification shared_ran;
  int running_beside = 0;
  FunctionJob shared([&] {
    running_beside = running;
    shared_ran.Notify();
  });
  ASSERT_TRUE(workers.Post(&shared).ok());
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
      ASSERT_TRUE(workers.Post(job.get()).ok());
    }
  });
  ASSERT_TRUE(workers.Post(job.get()).ok());
  done.WaitForNotification();
  EXPECT_EQ(runs, 100);
}

TEST(WorkersTest, TheEndRunsWhatWasPosted) {
  std::atomic<int> runs{0};
  FunctionJob one([&] { ++runs; }), other([&] { ++runs; }), alone([&] { ++runs; });
  {
    Workers workers(1);
    ASSERT_TRUE(workers.Post(&one).ok());
    ASSERT_TRUE(workers.Post(&other).ok());
    ASSERT_TRUE(workers.PostAlone(&alone).ok());
  }
  EXPECT_EQ(runs.load(), 3);
}

TEST(WorkersTest, AJobForWhichThereIsNoThreadIsNotTaken) {
  int threads_left = 2;
  Workers workers(2, {}, [&](std::function<void()> run) -> absl::StatusOr<std::thread> {
    if (threads_left-- > 0) return StartThread(std::move(run));
    return absl::ResourceExhaustedError("no more");
  });
  absl::Notification release;
  std::atomic<int> runs{0};
  FunctionJob shared([&] { ++runs; });
  FunctionJob busy([&] { release.WaitForNotification(); });
  FunctionJob alone([&] { ++runs; });
  FunctionJob refused([] { ADD_FAILURE() << "there is no thread for it"; });
  EXPECT_TRUE(workers.Post(&busy).ok());
  EXPECT_TRUE(workers.PostAlone(&alone).ok());
  EXPECT_EQ(workers.Post(&refused), absl::ResourceExhaustedError("no more"));
  EXPECT_EQ(workers.PostAlone(&refused), absl::ResourceExhaustedError("no more"));
  // Those that there are go on.
  threads_left = 1;
  EXPECT_TRUE(workers.Post(&shared).ok());
  release.Notify();
}

}  // namespace
}  // namespace distbench
