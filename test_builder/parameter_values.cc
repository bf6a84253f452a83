#include "test_builder/parameter_values.h"

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/diagnostics.h"
#include "glog/logging.h"

namespace distbench {

absl::StatusOr<ParameterValues> ParameterValues::Read(const std::vector<Parameter>& declared,
                                                      const std::vector<NamedValue>& given) {
  ParameterValues values;
  for (const Parameter& parameter : declared) {
    values.all_.push_back({parameter.name, parameter.default_text});
  }
  std::vector<std::string> problems;
  std::vector<bool> is_given(declared.size());
  for (const NamedValue& named : given) {
    const auto found = absl::c_find_if(
        declared, [&](const Parameter& parameter) { return parameter.name == named.name; });
    if (found == declared.end()) {
      problems.push_back(absl::StrCat("unknown parameter ", Quoted(named.name),
                                      NearestNameHint(named.name, NamesOf(declared))));
      continue;
    }
    const auto position = static_cast<size_t>(found - declared.begin());
    if (is_given[position]) {
      problems.push_back(absl::StrCat(named.name, " is given twice; leave one out"));
    } else if (absl::Status checked = CheckValue(*found, named.value); !checked.ok()) {
      problems.emplace_back(checked.message());
    }
    is_given[position] = true;
    values.all_[position].value = named.value;
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
