// The program's log: glog on stderr, quiet by default, never to files.
#ifndef DISTBENCH_CLI_LOG_LEVEL_H_
#define DISTBENCH_CLI_LOG_LEVEL_H_

#include <string>

#include "absl/strings/string_view.h"

namespace distbench {

enum class LogLevel { kError, kWarning, kInfo, kDebug };

// Found by FlagSet::Add.
bool AbslParseFlag(absl::string_view text, LogLevel* level, std::string* error);
std::string AbslUnparseFlag(LogLevel level);

// `program_name` outlives the process's last log line.
void StartLogging(LogLevel least_severe, const char* program_name);

}  // namespace distbench

#endif  // DISTBENCH_CLI_LOG_LEVEL_H_
