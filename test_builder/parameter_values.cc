#include "test_builder/parameter_values.h"

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/diagnostics.h"
#include "glog/logging.h"

namespace distbench {

namespace {

// The number of parameters, if there is none of that name.
size_t PositionOf(absl::string_view name, const std::vector<Parameter>& declared) {
  const auto found =
      absl::c_find_if(declared, [&](const Parameter& parameter) { return parameter.name == name; });
  return static_cast<size_t>(found - declared.begin());
}

}  // namespace

absl::StatusOr<ParameterValues> ParameterValues::Read(const std::vector<Parameter>& declared,
                                                      const std::vector<NamedValue>& given) {
  ParameterValues values;
  for (const Parameter& parameter : declared) {
    values.all_.push_back({parameter.name, CanonicalValue(parameter, parameter.default_text)});
  }
  std::vector<std::string> problems;
  std::vector<bool> is_given(declared.size());
  for (const NamedValue& named : given) {
    const size_t position = PositionOf(named.name, declared);
    if (position == declared.size()) {
      problems.push_back(absl::StrCat("unknown parameter ", Quoted(named.name),
                                      NearestNameHint(named.name, NamesOf(declared))));
      continue;
    }
    if (is_given[position]) {
      problems.push_back(absl::StrCat(named.name, " is given twice; leave one out"));
    } else if (absl::Status checked = CheckValue(declared[position], named.value); !checked.ok()) {
      problems.emplace_back(checked.message());
    }
    is_given[position] = true;
    values.all_[position].value = CanonicalValue(declared[position], named.value);
  }
  for (size_t i = 0; i < declared.size(); ++i) {
    if (!is_given[i] || values.all_[i].value.empty()) continue;
    for (const std::string& other : declared[i].in_place_of) {
      const size_t position = PositionOf(other, declared);
      values.all_[position].value.clear();
      if (!is_given[position]) continue;
      problems.push_back(absl::StrCat(declared[i].name, " stands in place of ", other,
                                      "; leave one of the two out"));
    }
  }
  if (problems.empty()) return values;
  return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
}

const std::string& ParameterValues::Text(absl::string_view name) const {
  const auto found =
      absl::c_find_if(all_, [&](const NamedValue& named) { return named.name == name; });
  CHECK(found != all_.end()) << name << " is not declared";
  return found->value;
}

int64_t ParameterValues::Integer(absl::string_view name) const {
  int64_t number = 0;
  CHECK(absl::SimpleAtoi(Text(name), &number)) << name;
  return number;
}

double ParameterValues::Number(absl::string_view name) const {
  double number = 0;
  CHECK(absl::SimpleAtod(Text(name), &number)) << name;
  return number;
}

}  // namespace distbench
