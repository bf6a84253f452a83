// Files that the user names, read whole.
#ifndef DISTBENCH_CLI_USER_FILE_H_
#define DISTBENCH_CLI_USER_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace distbench {

// `name` as UserPath() understands it; "-" and "/dev/stdin" are standard input. The error names it
// and says why.
absl::StatusOr<std::string> ReadUserFile(const std::string& name);

// The same of one that a person writes; larger ones, such as devices without end, are an error.
absl::StatusOr<std::string> ReadUserFileUpTo(const std::string& name, size_t max_bytes);

}  // namespace distbench

#endif  // DISTBENCH_CLI_USER_FILE_H_
