// WorkUnits: CPU work in equal pieces, of which calibrated work does as many as its time takes.
//
//   cpu      a chain of multiplications, each waiting for the one before; nothing but registers
//   memory   a chain of reads, each waiting for the one before, in an order without a pattern over
//            more memory than caches hold
//
// Thread-safe: any number of threads may run units of the same object.
#ifndef DISTBENCH_ACTIVITY_WORK_UNITS_H_
#define DISTBENCH_ACTIVITY_WORK_UNITS_H_

#include <cstdint>
#include <memory>

#include "distbench/activity/stop_condition.h"
#include "distbench/config/plan.h"

namespace distbench {

class WorkUnits {
 public:
  virtual ~WorkUnits() = default;

  // Does so many, or fewer if `stop` comes to hold. A unit takes some 50 ns.
  virtual void Run(int64_t units, const StopCondition& stop) const = 0;
};

std::unique_ptr<const WorkUnits> MakeWorkUnits(WorkKind kind);

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_WORK_UNITS_H_
