#include "distbench/engine/cpu_job.h"

#include <cstdint>
#include <utility>

#include "distbench/activity/thread_cpu_time.h"

namespace distbench {

CpuJob::CpuJob(std::unique_ptr<CpuWork> work, const Clock* clock)
    : work_(std::move(work)),
      clock_(clock),
      times_(clock == nullptr ? nullptr : std::make_unique<JobTimes>()) {}

void CpuJob::RunOnce(const StopCondition& stop) {
  if (times_ == nullptr) return work_->RunOnce(stop);
  const int64_t start_ns = clock_->MonotonicNs();
  const int64_t cpu_start_ns = ThreadCpuNs();
  work_->RunOnce(stop);
  if (stop.holds()) return;
  times_->cpu_time.Record(ThreadCpuNs() - cpu_start_ns);
  times_->wall_time.Record(clock_->MonotonicNs() - start_ns);
}

}  // namespace distbench
