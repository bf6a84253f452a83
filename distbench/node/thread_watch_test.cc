#include "distbench/node/thread_watch.h"

#include <vector>

#include "distbench/testing/simulated_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMs = 1'000'000;

class ThreadWatchTest : public testing::Test {
 protected:
  std::unique_ptr<ThreadWatch::Watch> Begin(int64_t max_threads, std::vector<int64_t>* told) {
    return watch_.Begin(max_threads, [told](int64_t threads) { told->push_back(threads); });
  }

  SimulatedTime time_;
  int64_t threads_ = 10;
  int looks_ = 0;
  ThreadWatch watch_{{.clock = &time_, .timers = &time_, .count_threads = [this] {
                        ++looks_;
                        return threads_;
                      }}};
};

TEST_F(ThreadWatchTest, TellsOnceWhenTheLimitIsExceeded) {
  std::vector<int64_t> told;
  const auto watch = Begin(10, &told);
  time_.AdvanceBy(1000 * kMs);
  EXPECT_THAT(told, IsEmpty()) << "as many as allowed";
  threads_ = 11;
  time_.AdvanceBy(99 * kMs);
  EXPECT_THAT(told, IsEmpty());
  time_.AdvanceBy(1 * kMs);
  EXPECT_THAT(told, ElementsAre(11));
  threads_ = 12;
  time_.AdvanceBy(1000 * kMs);
  EXPECT_THAT(told, ElementsAre(11));
}

TEST_F(ThreadWatchTest, EachHasItsOwnLimit) {
  std::vector<int64_t> strict;
  std::vector<int64_t> lax;
  const auto first = Begin(5, &strict);
  const auto second = Begin(20, &lax);
  time_.AdvanceBy(100 * kMs);
  EXPECT_THAT(strict, ElementsAre(10));
  EXPECT_THAT(lax, IsEmpty());
  EXPECT_EQ(looks_, 1) << "one look serves all";
  threads_ = 21;
  time_.AdvanceBy(100 * kMs);
  EXPECT_THAT(lax, ElementsAre(21));
}

TEST_F(ThreadWatchTest, NobodyIsToldAndNobodyLooksAfterTheEnd) {
  std::vector<int64_t> told;
  Begin(5, &told).reset();
  while (time_.RunNextTimer()) continue;
  EXPECT_THAT(told, IsEmpty());
  const int looks = looks_;
  const auto again = Begin(5, &told);
  time_.AdvanceBy(100 * kMs);
  EXPECT_THAT(told, ElementsAre(10));
  EXPECT_EQ(looks_, looks + 1);
}

}  // namespace
}  // namespace distbench
