// Paths as the user means them.
#ifndef DISTBENCH_CLI_USER_PATH_H_
#define DISTBENCH_CLI_USER_PATH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace distbench {

// `path`, which if relative belongs to the directory that the user typed it in. That is not the
// process's own where `bazel run` started it; Bazel then says which in BUILD_WORKING_DIRECTORY.
std::string UserPath(absl::string_view path);

}  // namespace distbench

#endif  // DISTBENCH_CLI_USER_PATH_H_
