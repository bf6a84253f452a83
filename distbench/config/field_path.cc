#include "distbench/config/field_path.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

absl::Status Malformed(absl::string_view text, absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(text), ": ", problem, "; write path=value, such as tests[0].seed=7"));
}

}  // namespace

std::string PathStep::ToString() const {
  return key.has_value() ? absl::StrCat(field, "[", *key, "]") : field;
}

absl::StatusOr<FieldAssignment> ParseFieldAssignment(absl::string_view text) {
  FieldAssignment assignment;
  absl::string_view rest = text;
  while (true) {
    const size_t field_end = rest.find_first_of(".[=");
    if (field_end == 0) return Malformed(text, "a field's name is missing");
    if (field_end == absl::string_view::npos) return Malformed(text, "there is no '='");
    PathStep step{.field = std::string(rest.substr(0, field_end)), .key = std::nullopt};
    rest.remove_prefix(field_end);
    if (rest[0] == '[') {
      const size_t key_end = rest.find(']');
      if (key_end == absl::string_view::npos) return Malformed(text, "a '[' has no ']'");
      step.key = std::string(rest.substr(1, key_end - 1));
      rest.remove_prefix(key_end + 1);
    }
    assignment.steps.push_back(std::move(step));
    if (rest.empty()) return Malformed(text, "there is no '='");
    const char separator = rest[0];
    rest.remove_prefix(1);
    if (separator == '=') break;
    if (separator != '.') return Malformed(text, "after ']' there is neither '.' nor '='");
  }
  assignment.value = std::string(rest);
  return assignment;
}

}  // namespace distbench
