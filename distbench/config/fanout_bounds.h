// TargetBounds: to how few and to how many instances one iteration of an RPC goes, by the shapes of
// the services alone. A pure function.
#ifndef DISTBENCH_CONFIG_FANOUT_BOUNDS_H_
#define DISTBENCH_CONFIG_FANOUT_BOUNDS_H_

#include <cstddef>

#include "distbench/config/plan.h"

namespace distbench {

// Over all instances of the client and all draws. Some instance and draw comes to `most`; `least`
// may be lower than what any comes to where client and server have different grids.
struct TargetBounds {
  size_t least = 0;
  size_t most = 0;
};

// `is_own`: client and server are the same service, in which an instance never sends to itself.
TargetBounds BoundsOfTargets(const FanoutPlan& fanout, const ServicePlan& client,
                             const ServicePlan& server, bool is_own);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_FANOUT_BOUNDS_H_
