#include "distbench/config/action_definitions.h"

#include <algorithm>
#include <string>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/iterations.h"

namespace distbench {
namespace {

class DefinitionCompiler {
 public:
  DefinitionCompiler(CompileContext& context, size_t position)
      : context_(context),
        position_(position),
        action_(context.config.actions(position)),
        path_(ElementPath("actions", position)) {}

  ActionDefinition Compile() {
    ActionDefinition definition{.work = Work(),
                                .iterations = {},
                                .dependencies = Dependencies(),
                                .delay = Delay(),
                                .request_override = {},
                                .response_override = {}};
    if (action_.has_iterations()) {
      definition.iterations = CompileIterations(action_.iterations(), Path("iterations"),
                                                EndlessIterations(), context_.report);
      if (IsToDoNothing()) {
        context_.report.Warning(Path("iterations"),
                                "has no effect, as this action does nothing; it does so once");
        definition.iterations.reset();
      }
    }
    definition.request_override =
        Override("request_payload_override", action_.request_payload_override());
    definition.response_override =
        Override("response_payload_override", action_.response_payload_override());
    if (definition.request_override) WarnOfIdleOverride(definition.work);
    return definition;
  }

 private:
  ActionWork Work() {
    if (action_.has_rpc_name()) {
      const auto rpc = context_.rpcs.Resolve(action_.rpc_name(), Path("rpc_name"), context_.report);
      if (rpc.has_value()) return SendRpc{RpcIndex(*rpc)};
    } else if (action_.has_action_list_name()) {
      const auto list = context_.lists.Resolve(action_.action_list_name(), Path("action_list_name"),
                                               context_.report);
      if (list.has_value()) return RunList{ListIndex(*list)};
    } else if (action_.has_activity_config_name()) {
      const auto activity = context_.activities.Resolve(
          action_.activity_config_name(), Path("activity_config_name"), context_.report);
      if (activity.has_value()) return RunActivity{ActivityIndex(*activity)};
    } else if (action_.has_rpc_replay_trace_name()) {
      const auto trace = context_.traces.Resolve(action_.rpc_replay_trace_name(),
                                                 Path("rpc_replay_trace_name"), context_.report);
      if (trace.has_value()) return ReplayTrace{TraceIndex(*trace)};
    }
    return DoNothing{};
  }

  std::vector<ActionDependency> Dependencies() {
    std::vector<ActionDependency> dependencies;
    absl::flat_hash_set<size_t> seen;
    for (int i = 0; i < action_.dependencies_size(); ++i) {
      const std::string& name = action_.dependencies(i);
      const std::string path = absl::StrCat(path_, ".dependencies[", i, "]");
      const std::optional<size_t> action = context_.actions.Find(name);
      if (!action.has_value()) {
        context_.report.Error(
            path, absl::StrCat("there is no action ", Quoted(name), context_.actions.Hint(name)));
      } else if (*action == position_) {
        context_.report.Error(path, absl::StrCat(Quoted(name), " depends on itself; remove this"));
      } else if (!seen.insert(*action).second) {
        context_.report.Error(path,
                              absl::StrCat(Quoted(name), " is a dependency already; remove one"));
      } else {
        dependencies.push_back({.action = *action, .field_index = i});
      }
    }
    return dependencies;
  }

  bool IsToDoNothing() const { return action_.action_case() == Action::ACTION_NOT_SET; }

  Endless EndlessIterations() const {
    const auto& actions = context_.config.actions();
    const bool is_bounded = context_.config.attributes().contains("test_timeout") ||
                            std::any_of(actions.begin(), actions.end(), [](const Action& action) {
                              return action.cancel_traffic_when_done();
                            });
    if (is_bounded || IsToDoNothing()) return Endless::kAllowed;
    return action_.has_activity_config_name() ? Endless::kWarned : Endless::kRefused;
  }

  std::shared_ptr<const Distribution> Delay() {
    if (action_.delay_distribution_name().empty()) return nullptr;
    const auto position = context_.delay_distributions.Resolve(
        action_.delay_distribution_name(), Path("delay_distribution_name"), context_.report);
    return position.has_value() ? context_.compiled_delays[*position] : nullptr;
  }

  std::optional<MessageSizePlan> Override(const char* field, const std::string& payload) {
    if (payload.empty()) return std::nullopt;
    const auto position = context_.payloads.Resolve(payload, Path(field), context_.report);
    if (!position.has_value()) return std::nullopt;
    return context_.payload_sizes[*position];
  }

  void WarnOfIdleOverride(const ActionWork& work) {
    const auto* send = std::get_if<SendRpc>(&work);
    if (send == nullptr) {
      context_.report.Warning(Path("request_payload_override"),
                              "has no effect, as this action sends no RPC");
    } else if (context_.plan.rpcs[send->rpc].joint_sizes != nullptr) {
      context_.report.Warning(Path("request_payload_override"),
                              absl::StrCat("has no effect, as the distribution_config_name of RPC ",
                                           Quoted(action_.rpc_name()), " comes before it"));
    }
  }

  std::string Path(const char* field) const { return absl::StrCat(path_, ".", field); }

  CompileContext& context_;
  const size_t position_;
  const Action& action_;
  const std::string path_;
};

}  // namespace

std::vector<ActionDefinition> CompileActionDefinitions(CompileContext& context) {
  std::vector<ActionDefinition> definitions;
  definitions.reserve(context.config.actions_size());
  for (int i = 0; i < context.config.actions_size(); ++i) {
    definitions.push_back(DefinitionCompiler(context, i).Compile());
  }
  return definitions;
}

}  // namespace distbench
