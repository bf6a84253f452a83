#include "distbench/cli/user_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/cli/user_path.h"

namespace distbench {

namespace {

// Everything that is left to read; none, with errno set, if that fails.
std::optional<std::string> ReadAll(int descriptor) {
  std::string contents;
  char block[1 << 16];
  while (true) {
    const ssize_t size = read(descriptor, block, sizeof(block));
    if (size == 0) return contents;
    if (size > 0) contents.append(block, size);
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
}

}  // namespace

absl::StatusOr<std::string> ReadUserFile(const std::string& name) {
  const bool is_standard_input = name == "-" || name == "/dev/stdin";
  const int descriptor =
      is_standard_input ? dup(STDIN_FILENO) : open(UserPath(name).c_str(), O_RDONLY | O_CLOEXEC);
  std::optional<std::string> contents;
  if (descriptor >= 0) contents = ReadAll(descriptor);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (contents.has_value()) return *std::move(contents);
  return absl::NotFoundError(
      absl::StrCat("cannot read ", name, ": ", std::generic_category().message(error)));
}

}  // namespace distbench
