#include "distbench/testing/model/traffic_model.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace distbench::model {
namespace {

constexpr int64_t kNoLimit = 1'000'000;

// SleepFor and SpinFor report no iterations.
bool CountsIterations(const ActivityConfig& activity) {
  for (const NamedSetting& setting : activity.activity_settings()) {
    if (setting.name() != "activity_func") continue;
    return setting.string_value() != "SleepFor" && setting.string_value() != "SpinFor";
  }
  return false;
}

// All ways in which the list's choices may turn out; one without predicates if it has none.
std::vector<std::map<std::string, bool>> ChoicesOf(const ActionList& list) {
  std::vector<std::map<std::string, bool>> ways(1);
  for (const PredicateChoice& choice : list.predicate_choices()) {
    std::vector<std::map<std::string, bool>> longer;
    for (const PredicateChoice::Alternative& chosen : choice.alternatives()) {
      if (chosen.weight() == 0) continue;
      for (std::map<std::string, bool> way : ways) {
        for (const PredicateChoice::Alternative& other : choice.alternatives()) {
          way[other.predicate()] = &other == &chosen;
        }
        longer.push_back(std::move(way));
      }
    }
    ways = std::move(longer);
  }
  return ways;
}

Bounds LimitedStarts(const Iterations& iterations, int64_t count) {
  // As time allows.
  if (!iterations.has_open_loop_interval_ns() || iterations.rate_steps_size() > 0) {
    return {0, count};
  }
  // Both ends of the time count.
  const int64_t starts =
      int64_t{iterations.max_duration_us()} * 1000 / iterations.open_loop_interval_ns() + 1;
  const std::string& arrivals = iterations.open_loop_interval_distribution();
  if (arrivals == "exponential") return {0, count};
  if (arrivals == "constant") return {std::min(starts, count), std::min(starts, count)};
  return {std::min(starts - 1, count), std::min(starts, count)};
}

}  // namespace

Bounds StartsOf(const Action& action) {
  if (!action.has_iterations()) return {1, 1};
  const Iterations& iterations = action.iterations();
  const int64_t count =
      iterations.has_max_iteration_count() ? iterations.max_iteration_count() : kNoLimit;
  if (iterations.has_max_duration_us()) return LimitedStarts(iterations, count);
  return {count, count};
}

TrafficModel::TrafficModel(const DistributedSystemDescription& config)
    : config_(config), population_(config_) {
  for (const ActionList& list : config_.action_lists()) lists_[list.name()] = &list;
  for (const Action& action : config_.actions()) actions_[action.name()] = &action;
  for (int i = 0; i < config_.rpc_descriptions_size(); ++i) {
    rpcs_[config_.rpc_descriptions(i).name()] = i;
  }
  for (int i = 0; i < config_.activity_configs_size(); ++i) {
    activities_[config_.activity_configs(i).name()] = i;
  }
  for (const ServiceSpec& service : config_.services()) {
    if (!lists_.contains(service.name())) continue;
    for (const int instance : population_.OfService(service.name())) {
      tally_ += Run(service.name(), instance, /*warmup=*/false);
    }
  }
}

const Tally& TrafficModel::Run(const std::string& name, int instance, bool warmup) {
  const auto key = std::make_tuple(name, instance, warmup);
  const auto known = runs_.find(key);
  if (known != runs_.end()) return known->second;
  const ActionList& list = *lists_.at(name);
  std::map<std::string, bool> held;
  std::vector<std::string> drawn;
  for (const auto& [predicate, probability] : list.predicate_probabilities()) {
    held[predicate] = probability == 1;
    if (probability > 0 && probability < 1) drawn.push_back(predicate);
  }
  std::vector<Tally> alternatives;
  for (size_t draw = 0; draw < size_t{1} << drawn.size(); ++draw) {
    for (size_t i = 0; i < drawn.size(); ++i) held[drawn[i]] = (draw >> i) % 2 == 1;
    for (const auto& chosen : ChoicesOf(list)) {
      for (const auto& [predicate, is_chosen] : chosen) held[predicate] = is_chosen;
      alternatives.push_back(RunWith(list, held, instance, warmup));
    }
  }
  return runs_[key] = Tally::Some(alternatives, {1, 1});
}

Tally TrafficModel::RunWith(const ActionList& list, const std::map<std::string, bool>& held,
                            int instance, bool warmup) {
  Tally sum;
  for (const std::string& name : list.action_names()) {
    const Action& action = *actions_.at(name);
    if (Runs(action, held)) sum += ActionOf(action, instance, warmup);
  }
  return sum;
}

bool TrafficModel::Runs(const Action& action, const std::map<std::string, bool>& held) const {
  for (const std::string& predicate : action.predicates()) {
    const bool is_complement = predicate[0] == '!';
    if (held.at(predicate.substr(is_complement ? 1 : 0)) == is_complement) return false;
  }
  return std::all_of(action.dependencies().begin(), action.dependencies().end(),
                     [&](const std::string& name) { return Runs(*actions_.at(name), held); });
}

Tally TrafficModel::ActionOf(const Action& action, int instance, bool warmup) {
  const Bounds starts = StartsOf(action);
  if (warmup) return Iteration(action, instance, /*warmup=*/true).Times(starts);
  const bool has_warmup_time = action.iterations().warmup_ns() > 0;
  const int64_t first = action.iterations().warmup_iterations();
  Tally warm;
  if (first > 0 || has_warmup_time) warm = Iteration(action, instance, /*warmup=*/true);
  Tally measured = Iteration(action, instance, /*warmup=*/false);
  if (has_warmup_time) measured = Tally::Either(measured, warm);
  const Bounds in_warmup = {std::min(starts.least, first), std::min(starts.most, first)};
  Tally sum = warm.Times(in_warmup);
  sum += measured.Times({starts.least - in_warmup.least, starts.most - in_warmup.most});
  return sum;
}

Tally TrafficModel::Iteration(const Action& action, int instance, bool warmup) {
  if (action.has_rpc_name()) return Send(rpcs_.at(action.rpc_name()), instance, warmup);
  if (action.has_action_list_name()) return Run(action.action_list_name(), instance, warmup);
  if (!action.has_activity_config_name()) return {};
  const int activity = activities_.at(action.activity_config_name());
  if (!CountsIterations(config_.activity_configs(activity))) return {};
  return Tally::Once({.kind = Kind::kActivity,
                      .what = activity,
                      .client = instance,
                      .server = instance,
                      .phase = warmup ? Phase::kWarmup : Phase::kMeasured});
}

Tally TrafficModel::Send(int rpc, int client, bool warmup) {
  const RpcSpec& spec = config_.rpc_descriptions(rpc);
  const Targets targets = population_.TargetsOf(spec.fanout_filter(), client, spec.server());
  std::vector<Tally> alternatives;
  for (const int server : targets.instances) {
    Tally one = Tally::Once({.kind = Kind::kRpc,
                             .what = rpc,
                             .client = client,
                             .server = server,
                             .phase = warmup ? Phase::kWarmup : Phase::kMeasured});
    one += Run(spec.name(), server, warmup);
    alternatives.push_back(std::move(one));
  }
  return Tally::Some(alternatives, {targets.least, targets.most});
}

}  // namespace distbench::model
