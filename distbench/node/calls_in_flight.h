// How many RPCs a plan lets be in flight at a time, where it bounds them: by the closed loops of
// main lists. Open loops and replays follow the clock, whatever is in flight: an open loop counts
// as one iteration, a replay not at all. Nor do RPCs that servers send in turn, and one-way ones
// that the loop has left behind. Pure functions.
#ifndef DISTBENCH_NODE_CALLS_IN_FLIGHT_H_
#define DISTBENCH_NODE_CALLS_IN_FLIGHT_H_

#include "distbench/base/indices.h"

namespace distbench {

struct Plan;
struct ServicePlan;

// Per RPC, what all instances of one service together may have in flight; each at most
// max_pending_rpcs. May be absurdly large.
IndexedVector<RpcIndex, double> InFlightOfService(const Plan& plan, const ServicePlan& service);

}  // namespace distbench

#endif  // DISTBENCH_NODE_CALLS_IN_FLIGHT_H_
