// Values of parameters that are in files: NAME=<FILE.
#ifndef TEST_BUILDER_VALUE_FILE_H_
#define TEST_BUILDER_VALUE_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace distbench {

// What the file holds, without the newline that a file ends with. An error if that is nothing,
// which would stand for the default, or more than some MiB.
absl::StatusOr<std::string> ReadValueFile(const std::string& path);

}  // namespace distbench

#endif  // TEST_BUILDER_VALUE_FILE_H_
