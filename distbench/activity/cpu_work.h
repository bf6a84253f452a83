// CpuWork: what an activity does on a CPU. One object is used by one thread at a time and keeps its
// data, so that only the first iteration pays for the memory.
#ifndef DISTBENCH_ACTIVITY_CPU_WORK_H_
#define DISTBENCH_ACTIVITY_CPU_WORK_H_

#include <memory>

#include "distbench/activity/stop_condition.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/config/plan.h"

namespace distbench {

class CpuWork {
 public:
  virtual ~CpuWork() = default;

  // One iteration. Long ones look at `stop` and may end early.
  virtual void RunOnce(const StopCondition& stop) = 0;
};

// Whether the work is done by a thread, rather than by waiting.
bool NeedsCpu(const ActivityWork& work);

// Whether iterations of it are counted in the result: not where their number says nothing.
bool CountsIterations(const ActivityWork& work);

// Requires: NeedsCpu(work); `calibrated` has the kind of calibrated work.
std::unique_ptr<CpuWork> MakeCpuWork(const ActivityWork& work,
                                     const CalibratedWorkKinds& calibrated);

// Burns so much CPU time of the calling thread, or until `stop` holds.
void SpinOnCpu(int64_t cpu_time_ns, const StopCondition& stop);

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_CPU_WORK_H_
