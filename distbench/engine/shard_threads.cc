#include "distbench/engine/shard_threads.h"

#include <pthread.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class ShardThreads::HomeThread final : public SerialExecutor::Relief {
 public:
  HomeThread(size_t shard, const LoopPlacement& placement)
      : thread_([this, shard, placement] { RunThread(shard, placement); }) {}

  ~HomeThread() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = true;
    }
    thread_.join();
  }

  void TakeOver(SerialExecutor* executor) override {
    absl::MutexLock lock(&mutex_);
    waiting_.push_back(executor);
  }

 private:
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !waiting_.empty(); }

  // Takes all that wait, in order; false when it is time to stop. The two vectors change places, so
  // that handing over allocates nothing once they have grown.
  bool TakeWaiting(std::vector<SerialExecutor*>* taken) {
    taken->clear();
    absl::MutexLock lock(&mutex_, absl::Condition(this, &HomeThread::HasWork));
    waiting_.swap(*taken);
    return !taken->empty();
  }

  void RunThread(size_t shard, const LoopPlacement& placement) {
    placement.EnterLoop(shard);
    pthread_setname_np(pthread_self(), absl::StrCat("db-shard-", shard).c_str());
    std::vector<SerialExecutor*> taken;
    while (TakeWaiting(&taken)) {
      for (SerialExecutor* executor : taken) executor->ResumeRunning();
    }
  }

  absl::Mutex mutex_;
  std::vector<SerialExecutor*> waiting_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

ShardThreads::ShardThreads(size_t shard_count, const LoopPlacement& placement) {
  for (size_t i = 0; i < shard_count; ++i) {
    threads_.push_back(std::make_unique<HomeThread>(i, placement));
  }
}

ShardThreads::~ShardThreads() = default;

SerialExecutor::Relief* ShardThreads::relief(ShardIndex shard) {
  return threads_[shard.value()].get();
}

}  // namespace distbench
