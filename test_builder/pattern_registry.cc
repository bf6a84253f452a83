#include "test_builder/pattern_registry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

absl::Status PatternRegistry::Add(std::unique_ptr<Pattern> pattern) {
  if (Find(pattern->name()).ok()) {
    return absl::AlreadyExistsError(
        absl::StrCat("there is a pattern ", Quoted(pattern->name()), " already; rename yours"));
  }
  patterns_.push_back(std::move(pattern));
  return absl::OkStatus();
}

absl::StatusOr<const Pattern*> PatternRegistry::Find(absl::string_view name) const {
  std::vector<std::string> names;
  for (const auto& pattern : patterns_) {
    if (pattern->name() == name) return pattern.get();
    names.push_back(pattern->name());
  }
  for (const absl::string_view word : kCommandWords) names.emplace_back(word);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown pattern ", Quoted(name), NearestNameHint(name, names)));
}

}  // namespace distbench
