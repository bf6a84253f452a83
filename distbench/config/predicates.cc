#include "distbench/config/predicates.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "distbench/config/reporter.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

PredicateTable::PredicateTable(const ActionList& list, const std::string& list_path,
                               Reporter& report)
    : list_(list), list_path_(list_path), report_(report) {
  const std::string field = absl::StrCat(list_path, ".predicate_probabilities");
  for (const auto& entry : list.predicate_probabilities()) names_.push_back(entry.first);
  std::sort(names_.begin(), names_.end());
  if (names_.size() > kMaxPredicates) {
    report.Error(field, absl::StrCat(names_.size(), " given; a list may have ", kMaxPredicates,
                                     "; put some of its actions into a list that it runs"));
    names_.resize(kMaxPredicates);
  }
  for (const std::string& name : names_) {
    const float probability = list.predicate_probabilities().at(name);
    if (name.empty() || absl::StartsWith(name, "!")) {
      report.Error(KeyPath(field, name), absl::StrCat(Quoted(name),
                                                      " is no name of a predicate; it must not be "
                                                      "empty nor begin with '!', which stands "
                                                      "for the complement"));
    }
    if (!(probability >= 0 && probability <= 1)) {
      report.Error(KeyPath(field, name),
                   absl::StrCat(probability, " is no probability; set 0 to 1"));
    }
    probabilities_.push_back(probability);
  }
  used_.resize(names_.size());
}

ConditionPlan PredicateTable::ConditionOf(const Action& action, const std::string& action_path) {
  ConditionPlan condition;
  for (int i = 0; i < action.predicates_size(); ++i) {
    absl::string_view name = action.predicates(i);
    const bool must_hold = !absl::ConsumePrefix(&name, "!");
    const auto found = std::lower_bound(names_.begin(), names_.end(), name);
    if (found == names_.end() || absl::string_view(*found) != name) {
      report_.Error(
          absl::StrCat(action_path, ".", ElementPath("predicates", i)),
          absl::StrCat("list ", Quoted(list_.name()), " has no predicate ", Quoted(name),
                       "; add it to predicate_probabilities", NearestNameHint(name, names_)));
      continue;
    }
    const size_t position = static_cast<size_t>(found - names_.begin());
    used_[position] = true;
    (must_hold ? condition.must_hold : condition.must_not_hold) |= uint64_t{1} << position;
  }
  if ((condition.must_hold & condition.must_not_hold) != 0) {
    report_.Warning(absl::StrCat(action_path, ".predicates"),
                    absl::StrCat("a predicate and its complement are both asked for, so ",
                                 Quoted(action.name()), " never runs"));
  }
  return condition;
}

void PredicateTable::WarnOfUnused() const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (used_[i]) continue;
    report_.Warning(KeyPath(absl::StrCat(list_path_, ".predicate_probabilities"), names_[i]),
                    absl::StrCat("no action of list ", Quoted(list_.name()), " has the predicate ",
                                 Quoted(names_[i])));
  }
}

bool MayBeSkipped(const ConditionPlan& condition, const std::vector<double>& probabilities) {
  for (size_t i = 0; i < probabilities.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if ((condition.must_hold & bit) != 0 && probabilities[i] < 1) return true;
    if ((condition.must_not_hold & bit) != 0 && probabilities[i] > 0) return true;
  }
  return false;
}

}  // namespace distbench
