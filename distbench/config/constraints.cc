#include "distbench/config/constraints.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/diagnostics.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

bool IsModulo(Constraint::Relation relation) {
  return relation == Constraint::MODULO_EQUAL || relation == Constraint::MODULO_NOT_EQUAL;
}

bool IsNegated(Constraint::Relation relation) {
  return relation == Constraint::NOT_EQUAL || relation == Constraint::MODULO_NOT_EQUAL;
}

// --- What is wrong with one

class ConstraintCheck {
 public:
  ConstraintCheck(const Constraint& constraint, absl::string_view path, Reporter& report)
      : constraint_(constraint), path_(path), report_(report) {}

  void Run() {
    if (constraint_.attribute_name().empty()) {
      Error("attribute_name", "empty; name the attribute that is looked at");
    }
    CheckValues();
    if (constraint_.relation() == Constraint::UNKNOWN) {
      Error("relation", "missing; set EQUAL, NOT_EQUAL, MODULO_EQUAL or MODULO_NOT_EQUAL");
    } else if (IsModulo(constraint_.relation())) {
      CheckModulo();
    } else if (constraint_.modulus() != 0) {
      Error("modulus",
            absl::StrCat(constraint_.modulus(), " means nothing to the relation ", RelationName(),
                         "; leave it out, or set MODULO_EQUAL or ", "MODULO_NOT_EQUAL"));
    }
  }

 private:
  void Error(absl::string_view field, absl::string_view message) {
    report_.Error(absl::StrCat(path_, ".", field), message);
  }

  const std::string& RelationName() const {
    return Constraint::Relation_Name(constraint_.relation());
  }

  void CheckValues() {
    if (!constraint_.string_values().empty() || !constraint_.int64_values().empty()) return;
    report_.Error(path_, absl::StrCat("attribute ", Quoted(constraint_.attribute_name()),
                                      " is compared with nothing; set string_values or "
                                      "int64_values"));
  }

  void CheckModulo() {
    if (!constraint_.string_values().empty()) {
      Error("string_values", absl::StrCat(Quoted(constraint_.string_values(0)), " is text, which ",
                                          RelationName(), " cannot compare; set int64_values"));
    }
    if (constraint_.modulus() <= 0) {
      Error("modulus", absl::StrCat(constraint_.modulus(), " is not positive; ", RelationName(),
                                    " divides by it"));
      return;
    }
    for (int i = 0; i < constraint_.int64_values_size(); ++i) CheckRemainder(i);
  }

  void CheckRemainder(int position) {
    const int64_t value = constraint_.int64_values(position);
    if (value >= 0 && value < constraint_.modulus()) return;
    report_.Warning(
        ElementPath(absl::StrCat(path_, ".int64_values"), position),
        absl::StrCat(value, IsNegated(constraint_.relation()) ? " always" : " never",
                     " matches, as the remainder is from 0 to ", constraint_.modulus() - 1));
  }

  const Constraint& constraint_;
  const absl::string_view path_;
  Reporter& report_;
};

// --- Whether it holds

// In [0, modulus).
int64_t Remainder(int64_t dividend, int64_t modulus) {
  const int64_t remainder = dividend % modulus;
  return remainder < 0 ? remainder + modulus : remainder;
}

// Whether any of the values is the operand, or, negated, any is not.
template <typename Values, typename Operand>
bool AnyStands(const Values& values, const Operand& operand, bool negated) {
  const size_t equal = values.contains(operand) ? 1 : 0;
  return negated ? values.size() > equal : equal == 1;
}

// --- As a person reads it

std::string DescribeConstraint(const Constraint& constraint) {
  std::vector<std::string> values;
  for (const std::string& value : constraint.string_values()) values.push_back(Quoted(value));
  for (int64_t value : constraint.int64_values()) values.push_back(absl::StrCat(value));
  const bool negated = IsNegated(constraint.relation());
  return absl::StrCat(
      Escaped(constraint.attribute_name()),
      IsModulo(constraint.relation()) ? absl::StrCat(" mod ", constraint.modulus()) : "",
      negated ? " is not " : " is ", absl::StrJoin(values, negated ? " or is not " : " or "));
}

}  // namespace

void CheckConstraints(const ConstraintList& list, absl::string_view path, Reporter& report) {
  for (int s = 0; s < list.constraint_sets_size(); ++s) {
    const ConstraintSet& set = list.constraint_sets(s);
    const std::string set_path = ElementPath(absl::StrCat(path, ".constraint_sets"), s);
    if (set.constraints().empty()) {
      report.Error(set_path,
                   "a set without constraints, which nothing satisfies; add one, or "
                   "leave the set out");
    }
    for (int c = 0; c < set.constraints_size(); ++c) {
      const std::string element = ElementPath(absl::StrCat(set_path, ".constraints"), c);
      ConstraintCheck(set.constraints(c), element, report).Run();
    }
  }
}

AttributeFilter::Condition::Condition(const Constraint& constraint)
    : attribute_name(constraint.attribute_name()),
      negated(IsNegated(constraint.relation())),
      modulus(IsModulo(constraint.relation()) ? constraint.modulus() : 0),
      texts(constraint.string_values().begin(), constraint.string_values().end()),
      numbers(constraint.int64_values().begin(), constraint.int64_values().end()) {}

bool AttributeFilter::Condition::Holds(const Attributes& attributes) const {
  const std::string* attribute = attributes.Find(attribute_name);
  if (attribute == nullptr) return false;
  if (AnyStands(texts, absl::string_view(*attribute), negated)) return true;
  int64_t number = 0;
  if (numbers.empty() || !absl::SimpleAtoi(*attribute, &number)) return false;
  return AnyStands(numbers, modulus == 0 ? number : Remainder(number, modulus), negated);
}

AttributeFilter::AttributeFilter(const ConstraintList& list) {
  for (const ConstraintSet& set : list.constraint_sets()) {
    std::vector<Condition>& conditions = sets_.emplace_back();
    for (const Constraint& constraint : set.constraints()) conditions.emplace_back(constraint);
  }
}

bool AttributeFilter::Passes(const Attributes& attributes) const {
  return std::all_of(sets_.begin(), sets_.end(), [&](const std::vector<Condition>& set) {
    return std::any_of(set.begin(), set.end(),
                       [&](const Condition& condition) { return condition.Holds(attributes); });
  });
}

bool Satisfies(const ConstraintList& list, const Attributes& attributes) {
  return AttributeFilter(list).Passes(attributes);
}

std::string Describe(const ConstraintList& list) {
  if (list.constraint_sets().empty()) return "anything";
  std::vector<std::string> sets;
  for (const ConstraintSet& set : list.constraint_sets()) {
    std::vector<std::string> parts;
    for (const Constraint& constraint : set.constraints()) {
      parts.push_back(DescribeConstraint(constraint));
    }
    const bool is_ambiguous = parts.size() > 1 && list.constraint_sets_size() > 1;
    const std::string text = absl::StrJoin(parts, ", or ");
    sets.push_back(is_ambiguous ? absl::StrCat("(", text, ")") : text);
  }
  return absl::StrJoin(sets, ", and ");
}

}  // namespace distbench
