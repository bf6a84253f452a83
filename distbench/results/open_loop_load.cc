#include "distbench/results/open_loop_load.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "distbench/config/fanout_bounds.h"
#include "distbench/sampling/rate_profile.h"

namespace distbench {
namespace {

// Falling short of the mean by more than these standard deviations is no chance.
constexpr double kStandardDeviations = 5;
constexpr int64_t kEndOfTime = std::numeric_limits<int64_t>::max();
// Starts that tell how far apart they are.
constexpr size_t kStartsLookedAt = 101;

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

int64_t AddOrForever(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kEndOfTime : sum;
}

// Arrivals come at an even rate in even time. Both times count from the action's start.
int64_t TimeOf(const OpenLoopPlan& loop, int64_t even_ns) {
  return loop.rates == nullptr ? even_ns : loop.rates->TimeOf(even_ns);
}

// Negative before the first moment at which something may arrive.
int64_t EvenTimeAt(const OpenLoopPlan& loop, int64_t time_ns) {
  return loop.rates == nullptr ? time_ns : loop.rates->EvenTimeAt(time_ns);
}

// The intervals that end within an even time.
ArrivalCount IntervalsWithin(const OpenLoopPlan& loop, int64_t even_ns) {
  if (loop.arrivals == Arrivals::kExponential) {
    const double mean = static_cast<double>(even_ns) / static_cast<double>(loop.interval_ns);
    return {.mean = mean, .variance = mean};
  }
  return {.mean = static_cast<double>(even_ns / loop.interval_ns)};
}

// The arrivals within a time from the action's start.
ArrivalCount ArrivalsWithin(const OpenLoopPlan& loop, int64_t duration_ns) {
  const int64_t even_ns = EvenTimeAt(loop, duration_ns);
  if (even_ns < 0) return {};
  ArrivalCount arrivals = IntervalsWithin(loop, even_ns);
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

// When the first of its limits ends a loop, about.
int64_t EndNs(const IterationPlan& iterations) {
  int64_t end_ns = iterations.max_duration_ns.value_or(kEndOfTime);
  int64_t last_ns = 0;
  if (iterations.max_count.has_value() &&
      !__builtin_mul_overflow(*iterations.max_count - 1, iterations.open_loop->interval_ns,
                              &last_ns)) {
    end_ns = std::min(end_ns, TimeOf(*iterations.open_loop, last_ns));
  }
  return end_ns;
}

// The even time that has passed, at least, so long after the first start of a loop whose rate
// changes. That start came no earlier than what is due at once, and rates count from the action's
// start, so what is due until then counts.
int64_t EvenTimeSinceFirst(const IterationPlan& iterations, int64_t duration_ns) {
  const RateProfile& rates = *iterations.open_loop->rates;
  const int64_t first_ns = rates.TimeOf(0);
  const int64_t now_ns = AddOrForever(first_ns, duration_ns);
  const int64_t end_ns = EndNs(iterations);
  const int64_t passed_ns = rates.EvenTimeAt(now_ns);
  if (now_ns <= end_ns) return passed_ns;
  if (end_ns <= first_ns) return 0;
  const auto passed_at_end_ns = static_cast<double>(rates.EvenTimeAt(end_ns));
  const double mean_rate = passed_at_end_ns / static_cast<double>(end_ns - first_ns);
  const double at_mean_ns = passed_at_end_ns + static_cast<double>(now_ns - end_ns) * mean_rate;
  return at_mean_ns < static_cast<double>(passed_ns) ? static_cast<int64_t>(at_mean_ns) : passed_ns;
}

// The arrivals so long after the first start, with that one.
ArrivalCount ArrivalsSinceFirst(const IterationPlan& iterations, int64_t duration_ns) {
  const OpenLoopPlan& loop = *iterations.open_loop;
  const bool changes = loop.rates != nullptr;
  ArrivalCount arrivals =
      IntervalsWithin(loop, changes ? EvenTimeSinceFirst(iterations, duration_ns) : duration_ns);
  // Nobody knows at which rate a first one came that was drawn: it is one of all.
  const bool is_counted = changes && loop.arrivals == Arrivals::kExponential;
  if (!is_counted) ++arrivals.mean;
  return arrivals;
}

int64_t StartIntervalNs(const IterationPlan& iterations, int64_t duration_ns) {
  const OpenLoopPlan& loop = *iterations.open_loop;
  if (loop.rates == nullptr) return loop.interval_ns;
  const int64_t sent_until_ns = AddOrForever(loop.rates->TimeOf(0), duration_ns);
  const int64_t passed_ns = loop.rates->EvenTimeAt(std::min(sent_until_ns, EndNs(iterations)));
  const int64_t last_begin_ns = std::max<int64_t>(0, passed_ns - loop.interval_ns);
  std::vector<int64_t> intervals_ns;
  for (size_t i = 0; i < kStartsLookedAt; ++i) {
    const double share = static_cast<double>(i) / (kStartsLookedAt - 1);
    const auto begin_ns = static_cast<int64_t>(share * static_cast<double>(last_begin_ns));
    intervals_ns.push_back(loop.rates->TimeOf(AddOrForever(begin_ns, loop.interval_ns)) -
                           loop.rates->TimeOf(begin_ns));
  }
  const auto median = intervals_ns.begin() + kStartsLookedAt / 2;
  std::nth_element(intervals_ns.begin(), median, intervals_ns.end());
  return *median;
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
  return LeastRpcs(ArrivalsSinceFirst(*loop.action->iterations, duration_ns), loop.rpcs);
}

std::optional<int64_t> StartIntervalNs(const OpenLoopRpc& load, int64_t duration_ns) {
  std::optional<int64_t> shortest_ns;
  for (const OpenLoop& loop : load.loops) {
    if (!std::holds_alternative<SendRpc>(loop.action->work)) continue;
    const int64_t interval_ns = StartIntervalNs(*loop.action->iterations, duration_ns);
    shortest_ns = std::min(shortest_ns.value_or(interval_ns), interval_ns);
  }
  return shortest_ns;
}

}  // namespace distbench
