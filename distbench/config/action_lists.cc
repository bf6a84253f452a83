// Action lists: what each action does, and within each list who waits for whom.
//
// An action is defined once and may stand in several lists; its work, iterations and dependencies
// are checked with the definition. Whether the dependencies stand in the same list, and whether
// they form a cycle there, is a question to each list.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/dependency_graph.h"
#include "distbench/config/describe_cycle.h"
#include "distbench/config/iterations.h"

namespace distbench {
namespace {

struct Dependency {
  size_t action;    // position in `actions`
  int field_index;  // position in `dependencies`
};

// An action as it is defined, before it stands in a list.
struct Definition {
  ActionWork work = DoNothing{};
  std::optional<IterationPlan> iterations;
  std::vector<Dependency> dependencies;
};

class DefinitionCompiler {
 public:
  DefinitionCompiler(CompileContext& context, size_t position)
      : context_(context),
        position_(position),
        action_(context.config.actions(position)),
        path_(ElementPath("actions", position)) {}

  Definition Compile() {
    Definition definition{.work = Work(), .iterations = {}, .dependencies = Dependencies()};
    if (action_.has_iterations()) {
      const bool may_run_on = context_.config.attributes().contains("test_timeout");
      definition.iterations = CompileIterations(
          action_.iterations(), absl::StrCat(path_, ".iterations"), may_run_on, context_.report);
    }
    return definition;
  }

 private:
  ActionWork Work() {
    if (action_.has_rpc_name()) {
      const auto rpc = context_.rpcs.Resolve(action_.rpc_name(), absl::StrCat(path_, ".rpc_name"),
                                             context_.report);
      if (rpc.has_value()) return SendRpc{RpcIndex(*rpc)};
    } else if (action_.has_action_list_name()) {
      const auto list = context_.lists.Resolve(
          action_.action_list_name(), absl::StrCat(path_, ".action_list_name"), context_.report);
      if (list.has_value()) return RunList{ListIndex(*list)};
    }
    return DoNothing{};
  }

  std::vector<Dependency> Dependencies() {
    std::vector<Dependency> dependencies;
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

  CompileContext& context_;
  const size_t position_;
  const Action& action_;
  const std::string path_;
};

class ListCompiler {
 public:
  ListCompiler(CompileContext& context, const std::vector<Definition>& definitions, size_t position)
      : context_(context),
        definitions_(definitions),
        list_(context.config.action_lists(position)),
        path_(ElementPath("action_lists", position)) {}

  ActionListPlan Compile() {
    if (list_.max_rpc_samples() < 0) {
      context_.report.Error(
          absl::StrCat(path_, ".max_rpc_samples"),
          absl::StrCat(list_.max_rpc_samples(), " is negative; set 0 to keep all samples"));
    }
    if (list_.max_rpc_samples() > 0) plan_.max_rpc_samples = list_.max_rpc_samples();
    plan_.name = list_.name();
    for (int i = 0; i < list_.action_names_size(); ++i) AddAction(i);
    for (uint32_t i = 0; i < actions_.size(); ++i) LinkDependencies(ActionIndex(i));
    RefuseCycles();
    Finish();
    return std::move(plan_);
  }

 private:
  void AddAction(int field_index) {
    const std::string& name = list_.action_names(field_index);
    const std::string path = absl::StrCat(path_, ".action_names[", field_index, "]");
    const auto action = context_.actions.Resolve(name, path, context_.report);
    if (!action.has_value()) return;
    if (!place_.try_emplace(*action, ActionIndex(actions_.size())).second) {
      context_.report.Error(path, absl::StrCat(Quoted(name), " is in list ", Quoted(list_.name()),
                                               " already; define a second action to do it twice"));
      return;
    }
    const Action& config = context_.config.actions(*action);
    actions_.push_back(*action);
    plan_.actions.push_back({.name = config.name(),
                             .work = definitions_[*action].work,
                             .iterations = definitions_[*action].iterations,
                             .successors = {},
                             .sends_response = config.send_response_when_done()});
  }

  void LinkDependencies(ActionIndex index) {
    const size_t action = actions_[index.value()];
    for (const Dependency& dependency : definitions_[action].dependencies) {
      const auto before = place_.find(dependency.action);
      if (before == place_.end()) {
        ReportAbsent(action, dependency);
        continue;
      }
      ++plan_.actions[index].dependency_count;
      plan_.actions[before->second].successors.push_back(index);
    }
  }

  void ReportAbsent(size_t action, const Dependency& dependency) {
    const Action& config = context_.config.actions(action);
    context_.report.Error(
        absl::StrCat("actions[", action, "].dependencies[", dependency.field_index, "]"),
        absl::StrCat(Quoted(config.dependencies(dependency.field_index)), " is not in list ",
                     Quoted(list_.name()), ", where ", Quoted(config.name()),
                     " runs; an action can wait only for actions of its own list"));
  }

  void RefuseCycles() {
    DependencyGraph waits_for(plan_.actions.size());
    for (uint32_t i = 0; i < waits_for.size(); ++i) {
      for (ActionIndex next : plan_.actions[ActionIndex(i)].successors) {
        waits_for[next.value()].push_back(i);
      }
    }
    for (const std::vector<uint32_t>& cycle : DisjointCycles(waits_for)) {
      std::vector<std::string> names;
      for (uint32_t node : cycle) names.push_back(plan_.actions[ActionIndex(node)].name);
      context_.report.Error(absl::StrCat(path_, ".action_names"),
                            absl::StrCat("in list ", Quoted(list_.name()),
                                         " actions wait for each other: ", DescribeCycle(names),
                                         "; remove one of these dependencies"));
    }
  }

  void Finish() {
    if (plan_.actions.size() == 1) plan_.actions[ActionIndex(0)].sends_response = true;
    for (uint32_t i = 0; i < plan_.actions.size(); ++i) {
      const ActionPlan& action = plan_.actions[ActionIndex(i)];
      if (action.dependency_count == 0) plan_.roots.push_back(ActionIndex(i));
      if (action.sends_response) ++plan_.answering_actions;
    }
  }

  CompileContext& context_;
  const std::vector<Definition>& definitions_;
  const ActionList& list_;
  const std::string path_;
  std::vector<size_t> actions_;                     // position in `actions`, by ActionIndex
  absl::flat_hash_map<size_t, ActionIndex> place_;  // its inverse
  ActionListPlan plan_;
};

}  // namespace

void CompileActionLists(CompileContext& context) {
  std::vector<Definition> definitions;
  definitions.reserve(context.config.actions_size());
  for (int i = 0; i < context.config.actions_size(); ++i) {
    definitions.push_back(DefinitionCompiler(context, i).Compile());
  }
  for (int i = 0; i < context.config.action_lists_size(); ++i) {
    context.plan.lists.push_back(ListCompiler(context, definitions, i).Compile());
  }
}

}  // namespace distbench
