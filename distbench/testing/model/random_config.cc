#include "distbench/testing/model/random_config.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/testing/model/dice.h"
#include "distbench/testing/model/draw_forms.h"
#include "distbench/testing/model/population.h"
#include "distbench/testing/model/traffic_model.h"
#include "google/protobuf/text_format.h"

namespace distbench::model {
namespace {

constexpr int64_t kMostRpcs = 1500;
constexpr int kMostInstances = 18;
constexpr int kMostInstancesAlone = 27;  // of a test's only service
constexpr int kMostDepth = 2;            // of lists within lists

// What configs choose from: delays, sizes, payloads, work.
constexpr char kStock[] = R"(
  name: "random" default_protocol: "fake"
  delay_distribution_configs { name: "at_once" field_names: "action_delay_ns"
                               pmf_points { pmf: 1 data_points { exact: 0 } } }
  delay_distribution_configs { name: "short" field_names: "action_delay_ns"
    pmf_points { pmf: 0.5 data_points { exact: 300 } }
    pmf_points { pmf: 0.5 data_points { lower: 500 upper: 2000 } } }
  delay_distribution_configs { name: "long" field_names: "action_delay_ns"
    cdf_points { cdf: 0 value: 4000 } cdf_points { cdf: 1 value: 9000 } }
  size_distribution_configs { name: "boxes" field_names: "payload_size"
    pmf_points { pmf: 0.25 data_points { exact: 77 } }
    pmf_points { pmf: 0.75 data_points { lower: 100 upper: 5000 } } }
  size_distribution_configs { name: "steps" field_names: "payload_size"
    cdf_points { cdf: 0.5 value: 200 } cdf_points { cdf: 1 value: 300 } }
  distribution_config { name: "pairs"
    field_names: "response_payload_size" field_names: "request_payload_size"
    pmf_points { pmf: 1 data_points { lower: 1000 upper: 2000 } data_points { exact: 150 } } }
  distribution_config { name: "both" field_names: "payload_size"
    pmf_points { pmf: 1 data_points { lower: 60 upper: 90 } } }
  payload_descriptions { name: "none" size: 0 }
  payload_descriptions { name: "exact" size: 500 }
  payload_descriptions { name: "boxes" size_distribution_name: "boxes" }
  payload_descriptions { name: "steps" size_distribution_name: "steps" }
  activity_configs { name: "sort"
    activity_settings { name: "activity_func" string_value: "ConsumeCpu" }
    activity_settings { name: "array_size" int64_value: 20 } }
  activity_configs { name: "read"
    activity_settings { name: "activity_func" string_value: "PolluteDataCache" }
    activity_settings { name: "array_size" int64_value: 50 }
    activity_settings { name: "array_reads_per_iteration" int64_value: 20 } }
  activity_configs { name: "jump"
    activity_settings { name: "activity_func" string_value: "PolluteInstructionCache" }
    activity_settings { name: "function_invocations_per_iteration" int64_value: 3 } }
  activity_configs { name: "calculate"
    activity_settings { name: "activity_func" string_value: "CalibratedWork" }
    activity_settings { name: "duration_us" int64_value: 3 } }
  activity_configs { name: "sleep"
    activity_settings { name: "activity_func" string_value: "SleepFor" }
    activity_settings { name: "duration_us" int64_value: 2 } }
  activity_configs { name: "spin"
    activity_settings { name: "activity_func" string_value: "SpinFor" }
    activity_settings { name: "duration_us" int64_value: 1 } }
)";

// Where a list runs, and so what may stand in it.
struct Place {
  std::string service;
  int first_rpc = 0;  // RPCs from here on may be sent: those before may have led here
  int depth = 0;      // lists that this one is within
};

class Generator {
 public:
  Generator(uint64_t seed, const RandomConfigOptions& options) : dice_(seed), options_(options) {
    google::protobuf::TextFormat::ParseFromString(kStock, &config_);
  }

  DistributedSystemDescription Draw() {
    if (dice_.Percent(50)) config_.set_seed(1 + dice_.Below(1000));
    if (dice_.Percent(10)) config_.set_delay_actions_by_spinning(true);
    DrawServices();
    DrawRpcs();
    for (const ServiceSpec& service : config_.services()) {
      if (dice_.Percent(75)) AddList(service.name(), {.service = service.name()});
    }
    for (int i = 0; i < config_.rpc_descriptions_size(); ++i) {
      const RpcSpec& rpc = config_.rpc_descriptions(i);
      AddList(rpc.name(), {.service = rpc.server(), .first_rpc = i + 1});
    }
    if (options_.ends_early && config_.actions_size() > 0) {
      config_.mutable_actions(Any(config_.actions_size()))->set_cancel_traffic_when_done(true);
    }
    return std::move(config_);
  }

 private:
  int Any(int count) { return static_cast<int>(dice_.Below(static_cast<size_t>(count))); }

  // --- Who there is

  void DrawServices() {
    const int count = dice_.Between(1, 4);
    int left = count == 1 ? kMostInstancesAlone : kMostInstances;
    for (int i = 0; i < count && left > 0; ++i) {
      ServiceSpec& service = *config_.add_services();
      service.set_name(absl::StrCat("s", i));
      left -= DrawShape(left, service);
    }
  }

  // Returns the number of instances, at most `most`.
  int DrawShape(int most, ServiceSpec& service) {
    const int dimensions = dice_.Pick({0, 0, 0, 1, 2, 2, 3});
    int sizes[3] = {1, 1, 1};
    for (int i = 0; i < std::max(1, dimensions); ++i) sizes[i] = dice_.Between(1, 3);
    if (sizes[0] * sizes[1] * sizes[2] > most) std::fill(sizes, sizes + 3, 1);
    const int count = sizes[0] * sizes[1] * sizes[2];
    if (dimensions > 0) service.set_x_size(sizes[0]);
    if (dimensions > 1) service.set_y_size(sizes[1]);
    if (dimensions > 2) service.set_z_size(sizes[2]);
    if (dimensions == 0 || dice_.Percent(30)) service.set_count(count);
    return count;
  }

  // --- What they send

  void DrawRpcs() {
    const Population population(config_);
    for (int i = dice_.Between(1, 8); i > 0; --i) {
      RpcSpec rpc;
      for (const ServiceSpec& service : config_.services()) {
        if (dice_.Percent(50)) rpc.add_client(service.name());
      }
      rpc.set_server(config_.services(Any(config_.services_size())).name());
      if (rpc.client().empty()) rpc.add_client(config_.services(0).name());
      if (!DrawFanout(population, rpc)) continue;
      rpc.set_name(absl::StrCat("r", config_.rpc_descriptions_size()));
      DrawSizes(rpc);
      *config_.add_rpc_descriptions() = rpc;
    }
  }

  // False if no filter that was tried leads an instance of every client anywhere.
  bool DrawFanout(const Population& population, RpcSpec& rpc) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      rpc.set_fanout_filter(DrawFilter());
      if (rpc.fanout_filter() == "all" && dice_.Percent(50)) rpc.clear_fanout_filter();
      const bool reaches = std::all_of(
          rpc.client().begin(), rpc.client().end(),
          [&](const std::string& client) { return HasTarget(population, client, rpc); });
      if (reaches) return true;
    }
    return false;
  }

  static bool HasTarget(const Population& population, const std::string& client,
                        const RpcSpec& rpc) {
    const std::vector<int>& callers = population.OfService(client);
    return std::any_of(callers.begin(), callers.end(), [&](int caller) {
      return population.TargetsOf(rpc.fanout_filter(), caller, rpc.server()).most > 0;
    });
  }

  std::string DrawFilter() {
    const std::string axis = dice_.Pick<const char*>({"x", "y", "z"});
    switch (dice_.Below(9)) {
      case 0:
      case 1:
        return "all";
      case 2:
        return dice_.Pick<const char*>({"random", "random_single"});
      case 3:
        return "round_robin";
      case 4:
        return dice_.Pick<const char*>({"stochastic{1:1}", "stochastic{0.5:1,0.5:2}",
                                        "stochastic{0.25:0,0.75:3}", "stochastic{0:1,1:2}"});
      case 5:
        return absl::StrCat("same_",
                            dice_.Pick<const char*>({"x", "y", "z", "xy", "xz", "yz", "xyz"}));
      case 6:
        return "ring_" + axis;
      case 7:
        return "alternating_ring_" + axis;
      default:
        return absl::StrCat("linear_", axis, "{", dice_.Between(-2, 2), "}");
    }
  }

  void DrawSizes(RpcSpec& rpc) {
    if (dice_.Percent(40)) rpc.set_request_payload_name(DrawPayload());
    if (dice_.Percent(40)) rpc.set_response_payload_name(DrawPayload());
    if (dice_.Percent(15)) {
      rpc.set_distribution_config_name(dice_.Pick<const char*>({"pairs", "both"}));
    }
    if (dice_.Percent(15)) rpc.set_tracing_interval(dice_.Between(1, 3));
    if (dice_.Percent(10)) rpc.set_deadline_us(60'000'000);
  }

  std::string DrawPayload() { return dice_.Pick<const char*>({"none", "exact", "boxes", "steps"}); }

  // --- What they do

  void AddList(const std::string& name, const Place& place) {
    ActionList list;
    list.set_name(name);
    for (size_t i = dice_.Below(3); i > 0; --i) {
      (*list.mutable_predicate_probabilities())[absl::StrCat("p", i)] =
          dice_.Pick({0.0f, 1.0f, 0.5f, 0.25f});
    }
    if (dice_.Percent(25)) DrawChoice(*list.add_predicate_choices());
    if (dice_.Percent(10)) list.set_max_rpc_samples(dice_.Between(1, 5));
    if (dice_.Percent(10)) list.set_delay_actions_by_spinning(dice_.Percent(50));
    std::vector<std::string> actions;
    for (size_t i = dice_.Below(5); i > 0; --i) {
      const std::string action =
          dice_.Percent(10) ? FindShared(place) : AddAction(place, list, actions);
      if (action.empty() || Contains(actions, action)) continue;
      actions.push_back(action);
    }
    dice_.Shuffle(actions);
    for (const std::string& action : actions) list.add_action_names(action);
    *config_.add_action_lists() = list;
  }

  static bool Contains(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }

  // Weights of 0 are fewer than alternatives.
  void DrawChoice(PredicateChoice& choice) {
    for (size_t i = dice_.Below(3) + 1; i > 0; --i) {
      PredicateChoice::Alternative& alternative = *choice.add_alternatives();
      alternative.set_predicate(absl::StrCat("c", i));
      if (dice_.Percent(70)) alternative.set_weight(i == 1 ? 2 : dice_.Pick({0.0, 1.0, 0.5, 7.0}));
    }
  }

  // An action that may stand in any list where its RPC may be sent; empty: there is none.
  std::string FindShared(const Place& place) {
    const std::vector<int> rpcs = RpcsAt(place);
    std::vector<std::string> shared;
    for (const Action& action : config_.actions()) {
      if (action.predicates_size() + action.dependencies_size() > 0) continue;
      const bool is_sent = std::any_of(rpcs.begin(), rpcs.end(), [&](int rpc) {
        return config_.rpc_descriptions(rpc).name() == action.rpc_name();
      });
      if (is_sent) shared.push_back(action.name());
    }
    return shared.empty() ? "" : dice_.Pick(shared);
  }

  std::vector<int> RpcsAt(const Place& place) const {
    std::vector<int> rpcs;
    for (int i = place.first_rpc; i < config_.rpc_descriptions_size(); ++i) {
      const auto& clients = config_.rpc_descriptions(i).client();
      if (std::find(clients.begin(), clients.end(), place.service) != clients.end()) {
        rpcs.push_back(i);
      }
    }
    return rpcs;
  }

  std::string AddAction(const Place& place, const ActionList& list,
                        const std::vector<std::string>& before) {
    Action action;
    DrawWork(place, action);
    if (dice_.Percent(45)) DrawIterations(*action.mutable_iterations());
    for (const std::string& earlier : before) {
      if (dice_.Percent(30)) action.add_dependencies(earlier);
    }
    for (const auto& [predicate, probability] : list.predicate_probabilities()) {
      if (dice_.Percent(30)) action.add_predicates(predicate);
      if (dice_.Percent(20)) action.add_predicates("!" + predicate);
    }
    for (const PredicateChoice& choice : list.predicate_choices()) {
      for (const PredicateChoice::Alternative& alternative : choice.alternatives()) {
        if (dice_.Percent(30)) action.add_predicates(alternative.predicate());
        if (dice_.Percent(10)) action.add_predicates("!" + alternative.predicate());
      }
    }
    if (dice_.Percent(15)) {
      action.set_delay_distribution_name(dice_.Pick<const char*>({"at_once", "short", "long"}));
    }
    if (dice_.Percent(20)) action.set_send_response_when_done(true);
    if (dice_.Percent(10)) action.set_request_payload_override(DrawPayload());
    if (dice_.Percent(10)) action.set_response_payload_override(DrawPayload());
    action.set_name(absl::StrCat("a", config_.actions_size()));
    *config_.add_actions() = action;
    return action.name();
  }

  void DrawWork(const Place& place, Action& action) {
    const std::vector<int> rpcs = RpcsAt(place);
    const size_t choice = dice_.Below(100);
    if (choice < 65 && !rpcs.empty()) {
      action.set_rpc_name(DrawRpc(rpcs));
    } else if (choice < 80 && place.depth < kMostDepth) {
      action.set_action_list_name(absl::StrCat("n", nested_++));
      Place inner = place;
      ++inner.depth;
      AddList(action.action_list_name(), inner);
    } else if (choice < 90) {
      action.set_activity_config_name(
          dice_.Pick<const char*>({"sort", "read", "jump", "sleep", "spin", "calculate"}));
    }
  }

  // Rather one that nothing sends yet: its times show what its action waited for.
  std::string DrawRpc(std::vector<int> rpcs) {
    std::vector<int> unsent = rpcs;
    std::erase_if(unsent, [this](int rpc) { return IsSent(config_.rpc_descriptions(rpc).name()); });
    if (!unsent.empty() && dice_.Percent(70)) rpcs = unsent;
    return config_.rpc_descriptions(dice_.Pick(rpcs)).name();
  }

  bool IsSent(const std::string& rpc) const {
    return std::any_of(config_.actions().begin(), config_.actions().end(),
                       [&](const Action& action) { return action.rpc_name() == rpc; });
  }

  void DrawIterations(Iterations& iterations) {
    iterations.set_max_iteration_count(dice_.Between(1, 5));
    if (dice_.Percent(40)) {
      DrawOpenLoop(iterations);
    } else {
      if (dice_.Percent(60)) iterations.set_max_parallel_iterations(dice_.Between(1, 4));
      if (dice_.Percent(10)) iterations.set_max_duration_us(dice_.Between(1, 50));
    }
    if (dice_.Percent(30)) iterations.set_warmup_iterations(dice_.Between(0, 3));
    if (dice_.Percent(15)) iterations.set_warmup_ns(dice_.Between(1, 5000));
  }

  void DrawRates(Iterations& iterations) {
    for (size_t i = dice_.Below(3) + 1; i > 0; --i) {
      RateStep& step = *iterations.add_rate_steps();
      step.set_duration_us(dice_.Between(1, 5));
      step.set_rate_factor(dice_.Pick({1.0, 0.5, 3.0}));
      if (dice_.Percent(50)) step.set_end_rate_factor(dice_.Pick({2.0, 0.25}));
    }
  }

  void DrawOpenLoop(Iterations& iterations) {
    iterations.set_open_loop_interval_ns(dice_.Between(500, 3500));
    if (dice_.Percent(70)) {
      iterations.set_open_loop_interval_distribution(
          dice_.Pick<const char*>({"constant", "exponential", "sync_burst", "sync_burst_spread"}));
    }
    if (dice_.Percent(20)) {
      iterations.set_pacing(dice_.Pick<const char*>({"sleep", "hybrid", "spin"}));
    }
    const std::string& arrivals = iterations.open_loop_interval_distribution();
    if ((arrivals == "constant" || arrivals == "exponential") && dice_.Percent(30)) {
      DrawRates(iterations);
    }
    if (dice_.Percent(60)) return;
    iterations.set_max_duration_us(dice_.Between(1, 8));
    const bool is_poisson = iterations.open_loop_interval_distribution() == "exponential";
    if (!is_poisson && dice_.Percent(50)) iterations.clear_max_iteration_count();
  }

  Dice dice_;
  const RandomConfigOptions options_;
  DistributedSystemDescription config_;
  int nested_ = 0;
};

}  // namespace

DistributedSystemDescription RandomConfig(const RandomConfigOptions& options) {
  for (uint64_t attempt = 0;; ++attempt) {
    DistributedSystemDescription config = Generator(options.seed * 1000 + attempt, options).Draw();
    const int64_t rpcs = TrafficModel(config).tally().Rpcs().most;
    if (rpcs < 1 || rpcs > kMostRpcs) continue;
    Dice dice(~options.seed);  // has no part in what was drawn so far
    DrawRpcForms(dice, config);
    return config;
  }
}

}  // namespace distbench::model
