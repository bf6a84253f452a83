#include "distbench/cli/mode.h"

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

absl::Status Mode::Accept(const std::vector<std::string>& words) {
  if (words.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("unexpected word ", Quoted(words.front()), "; this mode takes flags only"));
}

}  // namespace distbench
