#include "distbench/engine/shard_threads.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "distbench/base/cpu_list.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Where the home thread of a shard runs.
std::string AffinityOf(ShardThreads& threads, ShardIndex shard) {
  class Look final : public SerialExecutor::Task {
   public:
    void Run() override {
      affinity = CpuList::OfThisThread().ToString();
      done.Notify();
    }
    std::string affinity;
    absl::Notification done;
  };
  Look look;
  SerialExecutor executor(threads.relief(shard));
  executor.PostToRelief(&look);
  look.done.WaitForNotification();
  return look.affinity;
}

TEST(ShardThreadsTest, HomeThreadsArePlacedLikeEventLoops) {
  const CpuList cpus = CpuList::OfThisThread();
  ShardThreads pinned(cpus.size() + 1, LoopPlacement(cpus));
  for (size_t i = 0; i < pinned.shard_count(); ++i) {
    EXPECT_EQ(AffinityOf(pinned, ShardIndex(i)), absl::StrCat(cpus.cpus()[i % cpus.size()]));
  }
  ShardThreads free(1);
  EXPECT_EQ(AffinityOf(free, ShardIndex(0)), cpus.ToString());
}

}  // namespace
}  // namespace distbench
