#include "distbench/results/open_loop_load.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>

namespace distbench {
namespace {

// Falling short of the mean by more than these standard deviations is no chance.
constexpr double kStandardDeviations = 5;

// Instances that an instance of `client` may send the RPC to.
double CandidateCount(const Plan& plan, ServiceIndex client, const RpcPlan& rpc) {
  const size_t servers = plan.services[rpc.server].count;
  return static_cast<double>(rpc.server == client && servers > 0 ? servers - 1 : servers);
}

RpcsPerIteration TargetsOf(const FanoutPlan& fanout, double candidates) {
  if (std::holds_alternative<FanoutAll>(fanout)) return {.mean = candidates};
  const auto* stochastic = std::get_if<FanoutStochastic>(&fanout);
  if (stochastic == nullptr) return {.mean = std::min(candidates, 1.0)};
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
    for (const ActionPlan& action : plan_.lists[list].actions) {
      const Runner own = RunnerOfWork(action, runner);
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
    const RpcsPerIteration targets = TargetsOf(plan.fanout, CandidateCount(plan_, service_, plan));
    // A list may send the RPC several times in one iteration.
    if (std::exchange(last_loop_[rpc], runner.loop_number) != runner.loop_number) {
      found.loops.push_back({.action = runner.loop, .rpcs = {}});
    }
    found.loops.back().rpcs.mean += runner.runs_per_iteration * targets.mean;
    found.loops.back().rpcs.variance += runner.runs_per_iteration * targets.variance;
  }

  const Plan& plan_;
  const ServiceIndex service_;
  size_t loops_ = 0;                      // seen so far
  std::map<RpcIndex, size_t> last_loop_;  // that was seen to send the RPC; they count from 1
  std::map<RpcIndex, OpenLoopRpc> found_;
};

// The arrivals of a loop that runs until its limits; none if it has no limit.
std::optional<double> ArrivalsOf(const IterationPlan& iterations) {
  std::optional<int64_t> arrivals = iterations.max_count;
  if (iterations.max_duration_ns.has_value()) {
    int64_t in_time = *iterations.max_duration_ns / iterations.open_loop->interval_ns;
    switch (iterations.open_loop->arrivals) {
      case Arrivals::kConstant:
        ++in_time;  // the one at once
        break;
      case Arrivals::kSyncBurst:
        break;  // the first one may be nearly an interval away
    }
    arrivals = std::min(arrivals.value_or(in_time), in_time);
  }
  if (!arrivals.has_value()) return std::nullopt;
  return static_cast<double>(*arrivals);
}

double LeastRpcs(double iterations, const RpcsPerIteration& rpcs) {
  return iterations * rpcs.mean - kStandardDeviations * std::sqrt(iterations * rpcs.variance);
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
    const std::optional<double> arrivals = ArrivalsOf(*loop.action->iterations);
    if (!arrivals.has_value()) return std::nullopt;
    due += LeastRpcs(*arrivals, loop.rpcs);
  }
  return due;
}

std::optional<double> RpcsDueWithin(const OpenLoopRpc& load, int64_t duration_ns) {
  if (load.sent_otherwise || load.loops.size() > 1) return std::nullopt;
  const OpenLoop& loop = load.loops.front();
  if (!std::holds_alternative<SendRpc>(loop.action->work)) return std::nullopt;
  const int64_t intervals = duration_ns / loop.action->iterations->open_loop->interval_ns;
  return LeastRpcs(static_cast<double>(intervals) + 1, loop.rpcs);
}

}  // namespace distbench
