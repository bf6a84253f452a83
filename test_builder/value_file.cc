#include "test_builder/value_file.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/user_file.h"

namespace distbench {
namespace {

constexpr size_t kMaxBytes = 16 << 20;

}  // namespace

absl::StatusOr<std::string> ReadValueFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string contents, ReadUserFileUpTo(path, kMaxBytes));
  const absl::string_view value = absl::StripSuffix(contents, "\n");
  if (!value.empty()) return std::string(value);
  return absl::InvalidArgumentError(absl::StrCat(
      path, " is empty, which is no value; leave the parameter out, or fill the file"));
}

}  // namespace distbench
