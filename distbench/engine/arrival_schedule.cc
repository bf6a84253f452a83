#include "distbench/engine/arrival_schedule.h"

namespace distbench {

ArrivalSchedule::ArrivalSchedule(const OpenLoopPlan& plan, int64_t action_start_ns,
                                 const WallAnchor& anchor)
    : first_ns_(action_start_ns), interval_ns_(plan.interval_ns) {
  if (plan.arrivals == Arrivals::kSyncBurst) {
    const int64_t since_multiple_ns = anchor.ToWallNs(action_start_ns) % interval_ns_;
    if (since_multiple_ns != 0) first_ns_ += interval_ns_ - since_multiple_ns;
  }
}

}  // namespace distbench
