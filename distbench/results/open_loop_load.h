// OpenLoopRpc: how many RPCs of one kind the open loops of a service should start on each of its
// instances, by the plan alone.
//
// It can be told where nothing else on the instance sends that RPC: every sender is an open-loop
// action that the main list runs once, or an action that such a one runs a fixed number of times in
// each iteration. Results count RPCs per instance and kind, not per action, so what closed loops
// and the lists of a server send cannot be told apart from it. Pure.
#ifndef DISTBENCH_RESULTS_OPEN_LOOP_LOAD_H_
#define DISTBENCH_RESULTS_OPEN_LOOP_LOAD_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

// A number that may be drawn anew in each iteration.
struct RpcsPerIteration {
  double mean = 0;
  double variance = 0;
};

struct OpenLoop {
  const ActionPlan* action = nullptr;  // in the plan
  RpcsPerIteration rpcs;
};

struct OpenLoopRpc {
  ServiceIndex client;
  RpcIndex rpc;
  std::vector<OpenLoop> loops;  // that send it; never empty
  bool sent_otherwise = false;  // too
};

// By client, then by RPC. Borrows from `plan`.
std::vector<OpenLoopRpc> OpenLoopRpcs(const Plan& plan);

// RPCs that were due on an instance, at least, by the rates that their loops had at each time.
// Where the number of targets or that of arrivals (a Poisson process) is drawn it is the one that
// chance falls short of in less than a test of a million. None where it cannot be told.

// Until the loops reached their limits.
std::optional<double> RpcsDueByPlan(const OpenLoopRpc& load);

// Until a moment `duration_ns` >= 0 after the first start, whatever the limits: beyond them a rate
// that changes goes on as it would have, but at no more than its mean until then. Needs a single
// loop, since several need not run at the same time, and one that sends the RPC itself, since in a
// list it waits for other things.
std::optional<double> RpcsDueWithin(const OpenLoopRpc& load, int64_t duration_ns);

// The time between the starts of two iterations of a loop that sends the RPC itself, the mean of
// those that are drawn. Where its rate changes it is the median over the starts that were due
// within `duration_ns` >= 0 after the first one, so that pauses do not matter. Of several loops,
// the shortest; none if there is none.
std::optional<int64_t> StartIntervalNs(const OpenLoopRpc& load, int64_t duration_ns);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_OPEN_LOOP_LOAD_H_
