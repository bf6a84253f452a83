// No list reaches itself for certain, through lists or RPCs: it would never end. It may do so by an
// action that its predicates may skip. Lists that run lists for certain do not do so without
// measure.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/dependency_graph.h"
#include "distbench/config/describe_cycle.h"
#include "distbench/config/list_links.h"
#include "distbench/config/predicates.h"

namespace distbench {
namespace {

// The list that the action leads to whatever is drawn.
std::optional<ListIndex> CertainlyReached(const CompileContext& context, const ActionListPlan& list,
                                          const ActionPlan& action) {
  if (MayBeSkipped(action.condition, list.predicates)) return std::nullopt;
  return ListReachedBy(context, action);
}

std::string ActionThatReaches(const CompileContext& context, ListIndex from, ListIndex to) {
  const ActionListPlan& list = context.plan.lists[from];
  for (const ActionPlan& action : list.actions) {
    if (CertainlyReached(context, list, action) == to) return action.name;
  }
  return "";
}

void ReportCycle(const CompileContext& context, const std::vector<uint32_t>& cycle) {
  std::vector<std::string> names;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const ListIndex list(cycle[i]);
    const ListIndex next(cycle[(i + 1) % cycle.size()]);
    names.push_back(context.plan.lists[list].name);
    names.push_back(ActionThatReaches(context, list, next));
  }
  context.report.Error(
      ElementPath("action_lists", cycle.front()),
      absl::StrCat("list ", Quoted(names.front()), " reaches itself: ", DescribeCycle(names),
                   " (lists and their actions in turn); remove one of the actions, or give it a "
                   "predicate with a probability below 1"));
}

constexpr uint32_t kMaxNesting = 100;

// Requires: no list reaches itself.
void CheckNesting(const CompileContext& context) {
  const size_t count = context.plan.lists.size();
  DependencyGraph nested(count);
  for (uint32_t i = 0; i < count; ++i) {
    const ActionListPlan& plan = context.plan.lists[ListIndex(i)];
    for (const ActionPlan& action : plan.actions) {
      const std::optional<ListIndex> list = NestedListOf(action);
      if (!list.has_value() || MayBeSkipped(action.condition, plan.predicates)) continue;
      nested[i].push_back(list->value());
    }
  }
  std::vector<uint32_t> depth(count);
  for (const uint32_t outer : TopologicalOrder(nested)) {
    if (depth[outer] == kMaxNesting + 1) {
      context.report.Error(
          ElementPath("action_lists", outer),
          absl::StrCat("list ", Quoted(context.plan.lists[ListIndex(outer)].name),
                       " is run by a list that is run by a list, more than ", kMaxNesting,
                       " deep; put the actions of some of them into one list"));
    }
    for (const uint32_t inner : nested[outer]) {
      depth[inner] = std::max(depth[inner], depth[outer] + 1);
    }
  }
}

}  // namespace

void CheckListRecursion(const CompileContext& context) {
  DependencyGraph reached(context.plan.lists.size());
  for (uint32_t i = 0; i < reached.size(); ++i) {
    const ActionListPlan& plan = context.plan.lists[ListIndex(i)];
    for (const ActionPlan& action : plan.actions) {
      const std::optional<ListIndex> list = CertainlyReached(context, plan, action);
      if (list.has_value()) reached[i].push_back(list->value());
    }
  }
  const std::vector<std::vector<uint32_t>> cycles = DisjointCycles(reached);
  for (const std::vector<uint32_t>& cycle : cycles) ReportCycle(context, cycle);
  if (cycles.empty()) CheckNesting(context);
}

}  // namespace distbench
