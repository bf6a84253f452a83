#include "distbench/cli/user_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/cli/user_path.h"

namespace distbench {

namespace {

// Everything that is left to read, if that is no more than so many bytes; none, with errno set, if
// it is or reading fails.
std::optional<std::string> ReadAll(int descriptor, size_t max_bytes) {
  std::string contents;
  char block[1 << 16];
  while (true) {
    if (contents.size() > max_bytes) {
      errno = EFBIG;
      return std::nullopt;
    }
    const ssize_t size = read(descriptor, block, sizeof(block));
    if (size == 0) return contents;
    if (size > 0) contents.append(block, size);
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
}

}  // namespace

absl::StatusOr<std::string> ReadUserFile(const std::string& name) {
  return ReadUserFileUpTo(name, std::numeric_limits<size_t>::max());
}

absl::StatusOr<std::string> ReadUserFileUpTo(const std::string& name, size_t max_bytes) {
  const bool is_standard_input = name == "-" || name == "/dev/stdin";
  const int descriptor =
      is_standard_input ? dup(STDIN_FILENO) : open(UserPath(name).c_str(), O_RDONLY | O_CLOEXEC);
  std::optional<std::string> contents;
  if (descriptor >= 0) contents = ReadAll(descriptor, max_bytes);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (contents.has_value()) return *std::move(contents);
  return absl::NotFoundError(
      absl::StrCat("cannot read ", name, ": ", std::generic_category().message(error)));
}

}  // namespace distbench
