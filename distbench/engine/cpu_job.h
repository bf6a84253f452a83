// CpuJob: CPU work of one activity and, if it is calibrated work, how long each of its iterations
// took. One thread at a time.
#ifndef DISTBENCH_ENGINE_CPU_JOB_H_
#define DISTBENCH_ENGINE_CPU_JOB_H_

#include <memory>

#include "distbench/activity/cpu_work.h"
#include "distbench/activity/stop_condition.h"
#include "distbench/base/clock.h"
#include "distbench/results/histogram.h"

namespace distbench {

// Of iterations that were not cut short.
struct JobTimes {
  HistogramPageSlab slab;
  LogLinearHistogram cpu_time{slab};   // of the thread
  LogLinearHistogram wall_time{slab};  // that passed
};

class CpuJob {
 public:
  // `clock` outlives the job; null: nobody asks for times.
  CpuJob(std::unique_ptr<CpuWork> work, const Clock* clock);

  // One iteration.
  void RunOnce(const StopCondition& stop);

  // Null if nobody asks.
  const JobTimes* times() const { return times_.get(); }

 private:
  const std::unique_ptr<CpuWork> work_;
  const Clock* const clock_;
  const std::unique_ptr<JobTimes> times_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_CPU_JOB_H_
