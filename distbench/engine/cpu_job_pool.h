// CpuJobPool: the CPU work of one engine's activities, kept for reuse with the memory that it has.
// Thread-safe.
#ifndef DISTBENCH_ENGINE_CPU_JOB_POOL_H_
#define DISTBENCH_ENGINE_CPU_JOB_POOL_H_

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/engine/cpu_job.h"

namespace distbench {

class CpuJobPool {
 public:
  // `plan` and `clock` outlive the pool. `calibrated` has the kinds of the plan's calibrated work.
  CpuJobPool(const Plan& plan, const CalibratedWorkKinds& calibrated, const Clock& clock);

  // Requires: the activity needs a CPU.
  std::unique_ptr<CpuJob> Take(ActivityIndex activity);
  void Return(ActivityIndex activity, std::unique_ptr<CpuJob> job);

  // Adds the times of all jobs that are not taken.
  void AddTimes(ActivityIndex activity, JobTimes* times) const;

  const CalibratedWorkKinds& calibrated() const { return calibrated_; }

 private:
  const Plan& plan_;
  const CalibratedWorkKinds calibrated_;
  const Clock& clock_;
  mutable absl::Mutex mutex_;
  std::vector<std::vector<std::unique_ptr<CpuJob>>> free_ ABSL_GUARDED_BY(mutex_);  // by activity
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_CPU_JOB_POOL_H_
