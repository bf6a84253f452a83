// PredicateTable: the predicates of one action list, and the conditions of its actions on them.
#ifndef DISTBENCH_CONFIG_PREDICATES_H_
#define DISTBENCH_CONFIG_PREDICATES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

class Action;
class ActionList;
class Distribution;
class PredicateChoice;
class Reporter;

class PredicateTable {
 public:
  // Reports what is wrong with the list's own predicates. `list_path` is its field path. All
  // arguments outlive the table.
  PredicateTable(const ActionList& list, const std::string& list_path, Reporter& report);

  // On what the action, whose field path is given, depends in this list. What is wrong is reported
  // and left out.
  ConditionPlan ConditionOf(const Action& action, const std::string& action_path);

  // Probabilities by position: first those of single predicates, in alphabetical order of their
  // names, then those of choices, in the order of the list.
  const std::vector<double>& probabilities() const { return probabilities_; }
  size_t single_predicates() const { return single_predicates_; }
  // What each choice draws: positions.
  const std::vector<std::shared_ptr<const Distribution>>& choices() const { return choices_; }

  // Reports predicates that no action asked for.
  void WarnOfUnused() const;

 private:
  void AddSinglePredicates();
  void AddChoice(const PredicateChoice& choice, const std::string& path);
  void AddPredicate(const std::string& name, const std::string& path, double probability);
  void RefuseTooMany();

  const ActionList& list_;
  const std::string& list_path_;
  Reporter& report_;
  std::vector<std::string> names_;  // by position, as all below
  std::vector<std::string> paths_;  // of their fields
  std::vector<double> probabilities_;
  std::vector<bool> used_;
  size_t single_predicates_ = 0;
  std::vector<std::shared_ptr<const Distribution>> choices_;
};

// Whether the predicates can turn out so that the action is skipped.
bool MayBeSkipped(const ConditionPlan& condition, const std::vector<double>& probabilities);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_PREDICATES_H_
