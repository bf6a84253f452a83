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
#include "absl/strings/str_cat.h"
#include "distbench/config/action_definitions.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/dependency_graph.h"
#include "distbench/config/describe_cycle.h"
#include "distbench/config/predicates.h"

namespace distbench {
namespace {

class ListCompiler {
 public:
  ListCompiler(CompileContext& context, const std::vector<ActionDefinition>& definitions,
               size_t position)
      : context_(context),
        definitions_(definitions),
        list_(context.config.action_lists(position)),
        path_(ElementPath("action_lists", position)),
        predicates_(list_, path_, context.report) {}

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
    const ActionDefinition& definition = definitions_[*action];
    actions_.push_back(*action);
    plan_.actions.push_back(
        {.name = config.name(),
         .work = definition.work,
         .iterations = definition.iterations,
         .successors = {},
         .condition = predicates_.ConditionOf(config, ElementPath("actions", *action)),
         .delay = definition.delay,
         .delay_spins = list_.has_delay_actions_by_spinning()
                            ? list_.delay_actions_by_spinning()
                            : context_.config.delay_actions_by_spinning(),
         .request_override = definition.request_override,
         .response_override = definition.response_override,
         .sends_response = config.send_response_when_done(),
         .cancels_traffic = config.cancel_traffic_when_done()});
  }

  void LinkDependencies(ActionIndex index) {
    const size_t action = actions_[index.value()];
    for (const ActionDependency& dependency : definitions_[action].dependencies) {
      const auto before = place_.find(dependency.action);
      if (before == place_.end()) {
        ReportAbsent(action, dependency);
        continue;
      }
      ++plan_.actions[index].dependency_count;
      plan_.actions[before->second].successors.push_back(index);
    }
  }

  void ReportAbsent(size_t action, const ActionDependency& dependency) {
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
    predicates_.WarnOfUnused();
    plan_.predicates = predicates_.probabilities();
    plan_.single_predicates = predicates_.single_predicates();
    plan_.choices = predicates_.choices();
    if (plan_.actions.size() == 1) plan_.actions[ActionIndex(0)].sends_response = true;
    for (uint32_t i = 0; i < plan_.actions.size(); ++i) {
      const ActionPlan& action = plan_.actions[ActionIndex(i)];
      if (action.dependency_count == 0) plan_.roots.push_back(ActionIndex(i));
      if (action.sends_response) ++plan_.answering_actions;
    }
  }

  CompileContext& context_;
  const std::vector<ActionDefinition>& definitions_;
  const ActionList& list_;
  const std::string path_;
  PredicateTable predicates_;
  std::vector<size_t> actions_;                     // position in `actions`, by ActionIndex
  absl::flat_hash_map<size_t, ActionIndex> place_;  // its inverse
  ActionListPlan plan_;
};

}  // namespace

void CompileActionLists(CompileContext& context) {
  const std::vector<ActionDefinition> definitions = CompileActionDefinitions(context);
  for (int i = 0; i < context.config.action_lists_size(); ++i) {
    context.plan.lists.push_back(ListCompiler(context, definitions, i).Compile());
  }
}

}  // namespace distbench
