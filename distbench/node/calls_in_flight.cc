#include "distbench/node/calls_in_flight.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "distbench/config/fanout_bounds.h"
#include "distbench/config/plan.h"

namespace distbench {
namespace {

// Instances that one iteration of the RPC goes to, at most.
double FanoutOf(const Plan& plan, const RpcPlan& rpc) {
  const ServicePlan& server = plan.services[rpc.server];
  size_t most = 0;
  for (const ServiceIndex client : rpc.clients) {
    const TargetBounds bounds = BoundsOfTargets(rpc.fanout, plan.services[client], server,
                                                /*is_own=*/client == rpc.server);
    most = std::max(most, bounds.most);
  }
  return static_cast<double>(most);
}

// Appends `list` and all lists that it runs, each after those that it runs itself.
void AppendInnerFirst(const Plan& plan, ListIndex list, IndexedVector<ListIndex, bool>* seen,
                      std::vector<ListIndex>* order) {
  if ((*seen)[list]) return;
  (*seen)[list] = true;
  for (const ActionPlan& action : plan.lists[list].actions) {
    const auto* run = std::get_if<RunList>(&action.work);
    if (run != nullptr) AppendInnerFirst(plan, run->list, seen, order);
  }
  order->push_back(list);
}

// Iterations of the action that run at a time.
double Parallel(const ActionPlan& action) {
  if (!action.iterations || action.iterations->open_loop) return 1;
  const IterationPlan& iterations = *action.iterations;
  return static_cast<double>(
      std::min(iterations.max_parallel, iterations.max_count.value_or(iterations.max_parallel)));
}

// RPCs of each kind that one run of the list may have in flight.
IndexedVector<RpcIndex, double> InFlightOfList(const Plan& plan, ListIndex list) {
  IndexedVector<ListIndex, bool> seen(plan.lists.size());
  std::vector<ListIndex> order;
  AppendInnerFirst(plan, list, &seen, &order);
  IndexedVector<RpcIndex, double> in_flight(plan.rpcs.size());
  IndexedVector<ListIndex, double> runs(plan.lists.size());  // at a time
  runs[list] = 1;
  for (auto outer = order.rbegin(); outer != order.rend(); ++outer) {
    for (const ActionPlan& action : plan.lists[*outer].actions) {
      const double at_a_time = runs[*outer] * Parallel(action);
      if (const auto* send = std::get_if<SendRpc>(&action.work)) {
        in_flight[send->rpc] += at_a_time * FanoutOf(plan, plan.rpcs[send->rpc]);
      } else if (const auto* run = std::get_if<RunList>(&action.work)) {
        runs[run->list] += at_a_time;
      }
    }
  }
  return in_flight;
}

}  // namespace

IndexedVector<RpcIndex, double> InFlightOfService(const Plan& plan, const ServicePlan& service) {
  if (!service.main_list) return IndexedVector<RpcIndex, double>(plan.rpcs.size());
  IndexedVector<RpcIndex, double> in_flight = InFlightOfList(plan, *service.main_list);
  for (double& count : in_flight) {
    count = std::min(count, static_cast<double>(plan.max_pending_rpcs)) *
            static_cast<double>(service.count);
  }
  return in_flight;
}

}  // namespace distbench
