#include "distbench/cli/user_path.h"

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace distbench {

std::string UserPath(absl::string_view path) {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (directory == nullptr || absl::StartsWith(path, "/")) return std::string(path);
  return absl::StrCat(directory, "/", path);
}

}  // namespace distbench
