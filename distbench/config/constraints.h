// Constraints: which nodes, or endpoints, a config asks for, by their attributes.
//
//   list       = set AND set AND ...                 an empty list holds everywhere
//   set        = constraint OR constraint OR ...
//   constraint = the attribute stands in the relation to value OR value OR ...
//
// So NOT_EQUAL with two values holds for every attribute, as one of them differs. An attribute that
// is absent stands in no relation, and one that is no integer in none to an integer, NOT_EQUAL
// included. The remainder of a division is never negative: -1 mod 4 is 3.
//
// Pure.
#ifndef DISTBENCH_CONFIG_CONSTRAINTS_H_
#define DISTBENCH_CONFIG_CONSTRAINTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "distbench/config/attributes.h"
#include "distbench/config/reporter.h"

namespace distbench {

class Constraint;
class ConstraintList;

// Reports what is wrong with the list, which stands in the field `path`.
void CheckConstraints(const ConstraintList& list, absl::string_view path, Reporter& report);

// A list made ready to be held against many attributes: what one of them costs does not depend on
// how many values the list has. Immutable.
class AttributeFilter {
 public:
  // Requires a list that CheckConstraints has nothing against, and that outlives the filter.
  explicit AttributeFilter(const ConstraintList& list);

  bool Passes(const Attributes& attributes) const;

 private:
  struct Condition {
    explicit Condition(const Constraint& constraint);
    bool Holds(const Attributes& attributes) const;

    absl::string_view attribute_name;
    bool negated = false;
    int64_t modulus = 0;  // 0: none
    absl::flat_hash_set<absl::string_view> texts;
    absl::flat_hash_set<int64_t> numbers;
  };

  std::vector<std::vector<Condition>> sets_;
};

// For a list that is held against few attributes only. Requires what AttributeFilter does.
bool Satisfies(const ConstraintList& list, const Attributes& attributes);

// As a person reads it: "rack is 'a' or 'b', and slot mod 4 is 1". "anything" if it is empty.
std::string Describe(const ConstraintList& list);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_CONSTRAINTS_H_
