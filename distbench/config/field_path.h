// FieldPath: "tests[0].actions[run_queries].rpc_name=search", taken apart.
//
//   assignment = step { "." step } "=" value
//   step       = field [ "[" key "]" ]       key: anything without "]"
//   value      = the rest, as it stands
#ifndef DISTBENCH_CONFIG_FIELD_PATH_H_
#define DISTBENCH_CONFIG_FIELD_PATH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

struct PathStep {
  std::string field;
  std::optional<std::string> key;

  std::string ToString() const;
};

struct FieldAssignment {
  std::vector<PathStep> steps;  // not empty
  std::string value;
};

absl::StatusOr<FieldAssignment> ParseFieldAssignment(absl::string_view text);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_FIELD_PATH_H_
