// CpuWorkPool: the CPU work of one engine's activities, kept for reuse with the memory that it has.
// Thread-safe.
#ifndef DISTBENCH_ENGINE_CPU_WORK_POOL_H_
#define DISTBENCH_ENGINE_CPU_WORK_POOL_H_

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/activity/cpu_work.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"

namespace distbench {

class CpuWorkPool {
 public:
  // `plan` outlives the pool.
  explicit CpuWorkPool(const Plan& plan) : plan_(plan), free_(plan.activities.size()) {}

  // Requires: the activity needs a CPU.
  std::unique_ptr<CpuWork> Take(ActivityIndex activity) {
    {
      absl::MutexLock lock(&mutex_);
      std::vector<std::unique_ptr<CpuWork>>& free = free_[activity.value()];
      if (!free.empty()) {
        std::unique_ptr<CpuWork> work = std::move(free.back());
        free.pop_back();
        return work;
      }
    }
    return MakeCpuWork(plan_.activities[activity].work);
  }

  void Return(ActivityIndex activity, std::unique_ptr<CpuWork> work) {
    absl::MutexLock lock(&mutex_);
    free_[activity.value()].push_back(std::move(work));
  }

 private:
  const Plan& plan_;
  absl::Mutex mutex_;
  std::vector<std::vector<std::unique_ptr<CpuWork>>> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_CPU_WORK_POOL_H_
