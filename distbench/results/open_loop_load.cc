#include "distbench/results/open_loop_load.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "distbench/config/fanout_bounds.h"

namespace distbench {
namespace {

// Falling short of the mean by more than these standard deviations is no chance.
constexpr double kStandardDeviations = 5;

// Those of the instance that has the fewest.
RpcsPerIteration TargetsOf(const Plan& plan, ServiceIndex client, const RpcPlan& rpc) {
  const TargetBounds bounds = BoundsOfTargets(rpc.fanout, plan.services[client],
                                              plan.services[rpc.server], rpc.server == client);
  const auto* stochastic = std::get_if<FanoutStochastic>(&rpc.fanout);
  if (stochastic == nullptr) return {.mean = static_cast<double>(bounds.least)};
  const double candidates = static_cast<double>(bounds.most);
  double mean = 0;
  double mean_of_squares = 0;
  double below = 0;
  for (const FanoutStochastic::Choice& choice : stochastic->choices) {
    const double probability = choice.cumulative_probability - below;
    const double targets = std::min(candidates, static_cast<double>(choice.targets));
    below = choice.cumulative_probability;
    mean += probability * targets;
    mean_of_squares += probability * targets * targets;
  }
  return {.mean = mean, .variance = std::max(0.0, mean_of_squares - mean * mean)};
}

// What runs an action: the main list, once; an open loop; or something whose runs the plan does not
// tell.
struct Runner {
  enum Kind { kOnce, kOpenLoop, kUnknown } kind = kOnce;
  const ActionPlan* loop = nullptr;  // of an open loop
  size_t loop_number = 0;            // one action may be run by several lists
  double runs_per_iteration = 1;
};

// Finds what one service sends.
class SenderSearch {
 public:
  SenderSearch(const Plan& plan, ServiceIndex service) : plan_(plan), service_(service) {}

  std::map<RpcIndex, OpenLoopRpc> Run() && {
    const ServicePlan& service = plan_.services[service_];
    if (service.main_list.has_value()) SearchList(*service.main_list, Runner());
    for (const RpcPlan& rpc : plan_.rpcs) {
      if (rpc.server == service_) SearchList(rpc.server_list, {.kind = Runner::kUnknown});
    }
    return std::move(found_);
  }

 private:
  void SearchList(ListIndex list, const Runner& runner) {
    // Lists may run each other, but then on some condition.
    if (runner.kind == Runner::kUnknown && !is_of_unknown_.insert(list).second) return;
    const auto& actions = plan_.lists[list].actions;
    IndexedVector<ActionIndex, bool> may_be_skipped(actions.size());
    for (size_t i = 0; i < actions.size(); ++i) {
      const ActionPlan& action = actions[ActionIndex(i)];
      if (!action.condition.is_empty()) may_be_skipped[ActionIndex(i)] = true;
      const bool is_certain = !may_be_skipped[ActionIndex(i)];
      for (ActionIndex successor : action.successors) {
        if (!is_certain) may_be_skipped[successor] = true;
      }
      const Runner own = is_certain ? RunnerOfWork(action, runner) : Runner{Runner::kUnknown};
      if (const auto* send = std::get_if<SendRpc>(&action.work)) Add(send->rpc, own);
      if (const auto* run = std::get_if<RunList>(&action.work)) SearchList(run->list, own);
    }
  }

  Runner RunnerOfWork(const ActionPlan& action, Runner runner) {
    if (runner.kind == Runner::kUnknown || !action.iterations.has_value()) return runner;
    const IterationPlan& iterations = *action.iterations;
    if (runner.kind == Runner::kOnce && iterations.open_loop.has_value()) {
      return {.kind = Runner::kOpenLoop, .loop = &action, .loop_number = ++loops_};
    }
    const bool is_counted = !iterations.open_loop.has_value() &&
                            !iterations.max_duration_ns.has_value() &&
                            iterations.max_count.has_value();
    if (runner.kind == Runner::kOnce || !is_counted) return {.kind = Runner::kUnknown};
    runner.runs_per_iteration *= static_cast<double>(*iterations.max_count);
    return runner;
  }

  void Add(RpcIndex rpc, const Runner& runner) {
    OpenLoopRpc& found = found_[rpc];
    found.client = service_;
    found.rpc = rpc;
    if (runner.kind != Runner::kOpenLoop) {
      found.sent_otherwise = true;
      return;
    }
    const RpcPlan& plan = plan_.rpcs[rpc];
    const RpcsPerIteration targets = TargetsOf(plan_, service_, plan);
    // A list may send the RPC several times in one iteration.
    if (std::exchange(last_loop_[rpc], runner.loop_number) != runner.loop_number) {
      found.loops.push_back({.action = runner.loop, .rpcs = {}});
    }
    found.loops.back().rpcs.mean += runner.runs_per_iteration * targets.mean;
    found.loops.back().rpcs.variance += runner.runs_per_iteration * targets.variance;
  }

  const Plan& plan_;
  const ServiceIndex service_;
  std::set<ListIndex> is_of_unknown_;     // lists that were searched with a runner unknown
  size_t loops_ = 0;                      // seen so far
  std::map<RpcIndex, size_t> last_loop_;  // that was seen to send the RPC; they count from 1
  std::map<RpcIndex, OpenLoopRpc> found_;
};

// Arrivals of an open loop. Their number may be drawn too.
struct ArrivalCount {
  double mean = 0;
  double variance = 0;
};

// The intervals that end within a time.
ArrivalCount IntervalsWithin(const OpenLoopPlan& loop, int64_t duration_ns) {
  if (loop.arrivals == Arrivals::kExponential) {
    const double mean = static_cast<double>(duration_ns) / static_cast<double>(loop.interval_ns);
    return {.mean = mean, .variance = mean};
  }
  return {.mean = static_cast<double>(duration_ns / loop.interval_ns)};
}

// The arrivals within a time from the action's start.
ArrivalCount ArrivalsWithin(const OpenLoopPlan& loop, int64_t duration_ns) {
  ArrivalCount arrivals = IntervalsWithin(loop, duration_ns);
  switch (loop.arrivals) {
    case Arrivals::kConstant:
      ++arrivals.mean;  // the one at once
      break;
    case Arrivals::kSyncBurst:
    case Arrivals::kSyncBurstSpread:  // the first one may be nearly an interval away
    case Arrivals::kExponential:      // the first one ends the first gap
      break;
  }
  return arrivals;
}

// A sum of as many numbers as there are arrivals. Left of its mean a Poisson distribution has less
// than a normal one of the same variance.
double LeastRpcs(const ArrivalCount& arrivals, const RpcsPerIteration& rpcs) {
  const double mean = arrivals.mean * rpcs.mean;
  const double variance = arrivals.mean * rpcs.variance + arrivals.variance * rpcs.mean * rpcs.mean;
  return std::max(0.0, mean - kStandardDeviations * std::sqrt(variance));
}

// Of a loop that runs until the first of its limits; none if it has no limit.
std::optional<double> LeastRpcs(const OpenLoop& loop) {
  const IterationPlan& iterations = *loop.action->iterations;
  std::optional<double> least;
  if (iterations.max_duration_ns.has_value()) {
    least =
        LeastRpcs(ArrivalsWithin(*iterations.open_loop, *iterations.max_duration_ns), loop.rpcs);
  }
  if (iterations.max_count.has_value()) {
    const double counted =
        LeastRpcs(ArrivalCount{.mean = static_cast<double>(*iterations.max_count)}, loop.rpcs);
    least = std::min(least.value_or(counted), counted);
  }
  return least;
}

}  // namespace

std::vector<OpenLoopRpc> OpenLoopRpcs(const Plan& plan) {
  std::vector<OpenLoopRpc> loads;
  for (size_t i = 0; i < plan.services.size(); ++i) {
    for (auto& [rpc, load] : SenderSearch(plan, ServiceIndex(i)).Run()) {
      if (!load.loops.empty()) loads.push_back(std::move(load));
    }
  }
  return loads;
}

std::optional<double> RpcsDueByPlan(const OpenLoopRpc& load) {
  if (load.sent_otherwise) return std::nullopt;
  double due = 0;
  for (const OpenLoop& loop : load.loops) {
    const std::optional<double> of_loop = LeastRpcs(loop);
    if (!of_loop.has_value()) return std::nullopt;
    due += *of_loop;
  }
  return due;
}

std::optional<double> RpcsDueWithin(const OpenLoopRpc& load, int64_t duration_ns) {
  if (load.sent_otherwise || load.loops.size() > 1) return std::nullopt;
  const OpenLoop& loop = load.loops.front();
  if (!std::holds_alternative<SendRpc>(loop.action->work)) return std::nullopt;
  ArrivalCount starts = IntervalsWithin(*loop.action->iterations->open_loop, duration_ns);
  ++starts.mean;  // the first one, which the time counts from
  return LeastRpcs(starts, loop.rpcs);
}

}  // namespace distbench
