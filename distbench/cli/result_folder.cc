#include "distbench/cli/result_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/cli/descriptor_buffer.h"
#include "distbench/cli/user_path.h"

namespace distbench {

namespace {

absl::Status CannotWrite(const std::string& path, const std::error_code& error) {
  return absl::InvalidArgumentError(absl::StrCat("cannot write ", path, ": ", error.message()));
}

std::error_code SystemError(int error) { return {error, std::generic_category()}; }

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

absl::StatusOr<ResultFolder> ResultFolder::Open(absl::string_view path) {
  ResultFolder folder;
  folder.path_ = WithoutSlashes(UserPath(path));
  std::error_code error;
  const bool exists = std::filesystem::exists(folder.path_, error);
  const bool is_empty_folder = exists && std::filesystem::is_directory(folder.path_, error) &&
                               std::filesystem::is_empty(folder.path_, error);
  if (error) return CannotWrite(folder.path_, error);
  if (exists && !is_empty_folder) {
    return absl::AlreadyExistsError(absl::StrCat(
        folder.path_, " is there already and would be overwritten; name a new or empty folder"));
  }
  const std::string temporary_path = absl::StrCat(folder.path_, ".partial.", getpid());
  if (!std::filesystem::create_directory(temporary_path, error) && !error) {
    error = SystemError(EEXIST);
  }
  if (error) return CannotWrite(temporary_path, error);
  folder.temporary_path_ = temporary_path;
  return folder;
}

ResultFolder::ResultFolder(ResultFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_path_(std::exchange(other.temporary_path_, "")) {}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  if (!temporary_path_.empty()) std::filesystem::remove_all(temporary_path_, ignored);
}

absl::Status ResultFolder::MakeFile(const std::string& path,
                                    absl::FunctionRef<void(std::ostream&)> write) const {
  const std::filesystem::path full = std::filesystem::path(temporary_path_) / path;
  std::error_code error;
  std::filesystem::create_directories(full.parent_path(), error);
  if (error) return CannotWrite(full.string(), error);
  const int descriptor = open(full.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return CannotWrite(full.string(), SystemError(errno));
  DescriptorBuffer buffer(descriptor);
  std::ostream out(&buffer);
  write(out);
  out.flush();
  const bool is_closed = close(descriptor) == 0;
  if (buffer.error() != 0) return CannotWrite(full.string(), SystemError(buffer.error()));
  return is_closed ? absl::OkStatus() : CannotWrite(full.string(), SystemError(errno));
}

absl::Status ResultFolder::Complete() {
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0) {
    return CannotWrite(path_, SystemError(errno));
  }
  temporary_path_.clear();
  return absl::OkStatus();
}

}  // namespace distbench
