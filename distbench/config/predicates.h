// PredicateTable: the predicates of one action list, and the conditions of its actions on them.
#ifndef DISTBENCH_CONFIG_PREDICATES_H_
#define DISTBENCH_CONFIG_PREDICATES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

class Action;
class ActionList;
class Reporter;

class PredicateTable {
 public:
  // Reports what is wrong with the list's own predicates. `list_path` is its field path. All
  // arguments outlive the table.
  PredicateTable(const ActionList& list, const std::string& list_path, Reporter& report);

  // On what the action, whose field path is given, depends in this list. What is wrong is reported
  // and left out.
  ConditionPlan ConditionOf(const Action& action, const std::string& action_path);

  // Probabilities by position, which is that of the name in alphabetical order.
  const std::vector<double>& probabilities() const { return probabilities_; }

  // Reports predicates that no action asked for.
  void WarnOfUnused() const;

 private:
  const ActionList& list_;
  const std::string& list_path_;
  Reporter& report_;
  std::vector<std::string> names_;  // sorted
  std::vector<double> probabilities_;
  std::vector<bool> used_;
};

// Whether the predicates can turn out so that the action is skipped.
bool MayBeSkipped(const ConditionPlan& condition, const std::vector<double>& probabilities);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_PREDICATES_H_
