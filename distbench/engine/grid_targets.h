// GridTargets: the instances that a fanout along a grid goes to from one caller. A pure function.
//
// An instance's coordinates come from its rank: x + y * x_size + z * x_size * y_size. The caller's
// are those in its own service's grid, whether or not it is the server's grid too.
#ifndef DISTBENCH_ENGINE_GRID_TARGETS_H_
#define DISTBENCH_ENGINE_GRID_TARGETS_H_

#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"

namespace distbench {

// Whether `fanout` is one of those that go by coordinates.
bool GoesByGrid(const FanoutPlan& fanout);

// In the order of their ranks, without the caller itself. Requires: GoesByGrid(fanout).
std::vector<InstanceIndex> GridTargets(const Plan& plan, const FanoutPlan& fanout,
                                       ServiceIndex server, InstanceIndex caller);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_GRID_TARGETS_H_
