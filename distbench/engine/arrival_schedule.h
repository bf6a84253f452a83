// ArrivalSchedule: when the iterations of an open-loop action are due. A pure function of time:
// arrival i is due at first + i * interval, whatever has been late before.
//
//   constant    first = the action's start
//   sync_burst  first = the first multiple of the interval on the wall clock at or after the
//               action's start, the same moment on all instances
#ifndef DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_
#define DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_

#include <cstdint>
#include <limits>

#include "distbench/base/clock.h"
#include "distbench/config/plan.h"

namespace distbench {

class ArrivalSchedule {
 public:
  ArrivalSchedule() = default;
  ArrivalSchedule(const OpenLoopPlan& plan, int64_t action_start_ns, const WallAnchor& anchor);

  // Monotonic. An arrival beyond the end of time is due then.
  int64_t DueNs(int64_t arrival) const {
    int64_t due_ns;
    if (__builtin_mul_overflow(arrival, interval_ns_, &due_ns) ||
        __builtin_add_overflow(due_ns, first_ns_, &due_ns)) {
      return std::numeric_limits<int64_t>::max();
    }
    return due_ns;
  }

 private:
  int64_t first_ns_ = 0;
  int64_t interval_ns_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_
