#include "distbench/cli/exit_code.h"

namespace distbench {

const char kExitCodeHelp[] =
    "Exit codes:\n"
    "  0  success\n"
    "  1  failure: errors in a config, unreadable input, a test that failed\n"
    "  2  a command line that is not understood\n"
    "  3  a daemon cannot be reached, or was lost during a test\n"
    "  4  cancelled: by Ctrl-C, or by a newer test sequence\n";

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kOk;
    case absl::StatusCode::kUnavailable:
      return ExitCode::kUnavailable;
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kAborted:
      return ExitCode::kCancelled;
    default:
      return ExitCode::kFailed;
  }
}

}  // namespace distbench
