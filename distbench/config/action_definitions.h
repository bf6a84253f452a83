// Actions as they are defined, before they stand in lists.
#ifndef DISTBENCH_CONFIG_ACTION_DEFINITIONS_H_
#define DISTBENCH_CONFIG_ACTION_DEFINITIONS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

struct CompileContext;

struct ActionDependency {
  size_t action;    // position in `actions`
  int field_index;  // position in `dependencies`
};

struct ActionDefinition {
  ActionWork work = DoNothing{};
  std::optional<IterationPlan> iterations;
  std::vector<ActionDependency> dependencies;
  std::shared_ptr<const Distribution> delay;
  std::optional<MessageSizePlan> request_override;
  std::optional<MessageSizePlan> response_override;
};

// By position in `actions`.
std::vector<ActionDefinition> CompileActionDefinitions(CompileContext& context);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_ACTION_DEFINITIONS_H_
