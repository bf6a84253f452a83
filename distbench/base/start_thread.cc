#include "distbench/base/start_thread.h"

#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace distbench {

absl::StatusOr<std::thread> StartThread(std::function<void()> run) {
  try {
    return std::thread(std::move(run));
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "no further thread could be started (", error.code().message(),
        "); raise the user's limit (ulimit -u) or that of the control group (pids.max)"));
  }
}

}  // namespace distbench
