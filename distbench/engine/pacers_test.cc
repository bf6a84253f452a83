#include "distbench/engine/pacers.h"

#include <pthread.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr Pacing kAllPacings[] = {Pacing::kSleep, Pacing::kSpin, Pacing::kHybrid};

// Threads of this process that call themselves pacers.
size_t PacerThreads() {
  size_t count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(thread.path() / "comm"), name);
    if (absl::StartsWith(name, "db-pacer")) ++count;
  }
  return count;
}

// Says on which thread it fires.
class LookAtThread final : public Timer {
 public:
  void OnTimer() override {
    char text[16];
    pthread_getname_np(pthread_self(), text, sizeof(text));
    name_ = text;
    done_.Notify();
  }

  std::string NameOfThread() {
    done_.WaitForNotification();
    return name_;
  }

 private:
  std::string name_;
  absl::Notification done_;
};

class PacersTest : public testing::Test {
 protected:
  static constexpr size_t kShards = 3;

  // Uses a pacer, so that its thread runs and has its name.
  std::string Use(Pacing pacing, size_t shard) {
    LookAtThread look;
    pacers_.For(pacing, ShardIndex(shard))->Arm(&look, clock_.MonotonicNs());
    return look.NameOfThread();
  }

  const SystemClock clock_;
  Pacers pacers_{{.clock = &clock_, .shard_count = kShards}};
};

TEST_F(PacersTest, AThreadIsMadeWhenItIsFirstAskedForAndOnlyThen) {
  EXPECT_EQ(PacerThreads(), 0u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Use(Pacing::kSpin, 1), "db-pacer-spin");
    EXPECT_EQ(Use(Pacing::kSpin, 2), "db-pacer-spin");
    EXPECT_EQ(PacerThreads(), 1u);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Use(Pacing::kSleep, 2), "db-pacer-2");
    EXPECT_EQ(PacerThreads(), 2u);
  }
  EXPECT_EQ(Use(Pacing::kHybrid, 0), "db-pacer-hybrid");
  EXPECT_EQ(PacerThreads(), 3u);
}

TEST_F(PacersTest, AShardHasASleepingThreadAndAllShareTheOthers) {
  std::set<TimerService*> services;
  for (Pacing pacing : kAllPacings) {
    for (size_t shard = 0; shard < kShards; ++shard) {
      services.insert(pacers_.For(pacing, ShardIndex(shard)));
    }
    EXPECT_EQ(services.size(), kShards + static_cast<size_t>(pacing));
  }
}

}  // namespace
}  // namespace distbench
