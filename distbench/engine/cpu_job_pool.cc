#include "distbench/engine/cpu_job_pool.h"

#include <utility>
#include <variant>

#include "distbench/activity/cpu_work.h"

namespace distbench {

CpuJobPool::CpuJobPool(const Plan& plan, const CalibratedWorkKinds& calibrated, const Clock& clock)
    : plan_(plan), calibrated_(calibrated), clock_(clock), free_(plan.activities.size()) {}

std::unique_ptr<CpuJob> CpuJobPool::Take(ActivityIndex activity) {
  {
    absl::MutexLock lock(&mutex_);
    std::vector<std::unique_ptr<CpuJob>>& free = free_[activity.value()];
    if (!free.empty()) {
      std::unique_ptr<CpuJob> job = std::move(free.back());
      free.pop_back();
      return job;
    }
  }
  const ActivityWork& work = plan_.activities[activity].work;
  const bool is_timed = std::holds_alternative<CalibratedWork>(work);
  return std::make_unique<CpuJob>(MakeCpuWork(work, calibrated_), is_timed ? &clock_ : nullptr);
}

void CpuJobPool::Return(ActivityIndex activity, std::unique_ptr<CpuJob> job) {
  absl::MutexLock lock(&mutex_);
  free_[activity.value()].push_back(std::move(job));
}

void CpuJobPool::AddTimes(ActivityIndex activity, JobTimes* times) const {
  absl::MutexLock lock(&mutex_);
  for (const std::unique_ptr<CpuJob>& job : free_[activity.value()]) {
    if (job->times() == nullptr) continue;
    times->cpu_time.Merge(job->times()->cpu_time);
    times->wall_time.Merge(job->times()->wall_time);
  }
}

}  // namespace distbench
