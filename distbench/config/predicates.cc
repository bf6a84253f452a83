#include "distbench/config/predicates.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "distbench/config/reporter.h"
#include "distbench/sampling/distribution.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr double kMaxWeight = 1e15;

}  // namespace

PredicateTable::PredicateTable(const ActionList& list, const std::string& list_path,
                               Reporter& report)
    : list_(list), list_path_(list_path), report_(report) {
  AddSinglePredicates();
  for (int i = 0; i < list.predicate_choices_size(); ++i) {
    AddChoice(list.predicate_choices(i),
              absl::StrCat(list_path, ".", ElementPath("predicate_choices", i)));
  }
  RefuseTooMany();
  used_.resize(names_.size());
}

void PredicateTable::AddSinglePredicates() {
  const std::string field = absl::StrCat(list_path_, ".predicate_probabilities");
  std::vector<std::string> names;
  for (const auto& entry : list_.predicate_probabilities()) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const float probability = list_.predicate_probabilities().at(name);
    if (!(probability >= 0 && probability <= 1)) {
      report_.Error(KeyPath(field, name),
                    absl::StrCat(probability, " is no probability; set 0 to 1"));
    }
    AddPredicate(name, KeyPath(field, name), probability);
  }
  single_predicates_ = names_.size();
}

void PredicateTable::AddChoice(const PredicateChoice& choice, const std::string& path) {
  const size_t first = names_.size();
  double sum = 0;
  for (int i = 0; i < choice.alternatives_size(); ++i) {
    const PredicateChoice::Alternative& alternative = choice.alternatives(i);
    const std::string alternative_path =
        absl::StrCat(path, ".", ElementPath("alternatives", static_cast<size_t>(i)));
    double weight = alternative.weight();
    if (!(weight >= 0 && weight <= kMaxWeight)) {
      report_.Error(absl::StrCat(alternative_path, ".weight"),
                    absl::StrCat(weight, " is no weight; set 0 to ", kMaxWeight));
      weight = 1;
    }
    sum += weight;
    AddPredicate(alternative.predicate(), absl::StrCat(alternative_path, ".predicate"), weight);
  }
  if (sum == 0) {
    report_.Error(absl::StrCat(path, ".alternatives"),
                  "there is nothing to choose; add an alternative with a weight above 0");
    return;
  }
  std::vector<Distribution::Box> boxes;
  for (size_t i = first; i < names_.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    boxes.push_back({.weight = probabilities_[i], .ranges = {{{position, position}}}});
    probabilities_[i] /= sum;
  }
  choices_.push_back(std::make_shared<Distribution>(1, std::move(boxes)));
}

void PredicateTable::AddPredicate(const std::string& name, const std::string& path,
                                  double probability) {
  if (name.empty() || absl::StartsWith(name, "!")) {
    report_.Error(path, absl::StrCat(Quoted(name),
                                     " is no name of a predicate; it must not be empty nor begin "
                                     "with '!', which stands for the complement"));
  } else if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
    report_.Error(path, absl::StrCat("list ", Quoted(list_.name()), " has a predicate ",
                                     Quoted(name), " already; give this one another name"));
  }
  names_.push_back(name);
  paths_.push_back(path);
  probabilities_.push_back(probability);
}

void PredicateTable::RefuseTooMany() {
  if (names_.size() <= kMaxPredicates) return;
  report_.Error(list_path_,
                absl::StrCat(names_.size(), " predicates given; a list may have ", kMaxPredicates,
                             "; put some of its actions into a list that it runs"));
  names_.resize(kMaxPredicates);
  probabilities_.resize(kMaxPredicates);
}

ConditionPlan PredicateTable::ConditionOf(const Action& action, const std::string& action_path) {
  ConditionPlan condition;
  for (int i = 0; i < action.predicates_size(); ++i) {
    absl::string_view name = action.predicates(i);
    const bool must_hold = !absl::ConsumePrefix(&name, "!");
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      report_.Error(absl::StrCat(action_path, ".", ElementPath("predicates", i)),
                    absl::StrCat("list ", Quoted(list_.name()), " has no predicate ", Quoted(name),
                                 "; add it to predicate_probabilities or predicate_choices",
                                 NearestNameHint(name, names_)));
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
    report_.Warning(paths_[i], absl::StrCat("no action of list ", Quoted(list_.name()),
                                            " has the predicate ", Quoted(names_[i])));
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
