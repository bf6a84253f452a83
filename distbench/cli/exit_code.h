// Exit codes: what the program tells the script that ran it.
#ifndef DISTBENCH_CLI_EXIT_CODE_H_
#define DISTBENCH_CLI_EXIT_CODE_H_

#include "absl/status/status.h"

namespace distbench {

enum class ExitCode {
  kOk = 0,
  kFailed = 1,       // a config with errors, unreadable input, a test that failed
  kUsage = 2,        // a command line that the program does not understand
  kUnavailable = 3,  // a daemon that cannot be reached, or was lost while it was needed
  kCancelled = 4,    // the test was cancelled: by Ctrl-C, or by a newer test sequence
};

// The exit code of a mode that ended with `status`; never kUsage.
ExitCode ExitCodeOf(const absl::Status& status);

// The table above, for the help.
extern const char kExitCodeHelp[];

}  // namespace distbench

#endif  // DISTBENCH_CLI_EXIT_CODE_H_
