#include "test_builder/result_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/user_path.h"

namespace distbench {
namespace {

constexpr char kUnfinished[] = ".unfinished";
constexpr char kResult[] = ".pb.gz";
constexpr char kFailed[] = ".failed.pb.gz";
constexpr char kFailedRecords[] = ".failed.records";

absl::Status CannotWrite(const std::string& path, int error) {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot write ", path, ": ", std::generic_category().message(error)));
}

// Whether a file's name can end so behind `.unfinished`: that of the result, of its compressed
// form, and those that a ResultDestination has beside it, which end in the writer's process id.
bool IsEndOfUnfinished(absl::string_view end) {
  if (end.empty() || end == ".gz") return true;
  if (!absl::ConsumePrefix(&end, ".partial.") && !absl::ConsumePrefix(&end, ".records.")) {
    return false;
  }
  return !end.empty() &&
         absl::c_all_of(end, [](unsigned char c) { return absl::ascii_isdigit(c); });
}

// The last `.unfinished` counts: stems, which users label, may have one too.
bool IsUnfinishedOf(const absl::flat_hash_set<std::string>& stems, absl::string_view file_name) {
  const size_t position = file_name.rfind(kUnfinished);
  return position != absl::string_view::npos && stems.contains(file_name.substr(0, position)) &&
         IsEndOfUnfinished(file_name.substr(position + sizeof(kUnfinished) - 1));
}

absl::Status RemoveUnfinished(const std::string& folder, const std::vector<std::string>& stems) {
  const absl::flat_hash_set<std::string> own(stems.begin(), stems.end());
  std::vector<std::filesystem::path> unfinished;
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (IsUnfinishedOf(own, file->path().filename().string()) && file->is_regular_file()) {
      unfinished.push_back(file->path());
    }
  }
  for (const std::filesystem::path& path : unfinished) {
    if (!error) std::filesystem::remove(path, error);
  }
  if (!error) return absl::OkStatus();
  return CannotWrite(folder, error.value());
}

// Copies `input` as gzip, and has it on the disk. 0, or the error.
int CopyCompressed(int input, int output) {
  const int stream_descriptor = dup(output);
  gzFile stream = gzdopen(stream_descriptor, "wb");
  if (stream == nullptr) {
    if (stream_descriptor >= 0) close(stream_descriptor);
    return ENOMEM;
  }
  std::vector<char> block(1 << 20);
  int error = 0;
  while (error == 0) {
    errno = 0;
    const ssize_t size = read(input, block.data(), block.size());
    if (size == 0) break;
    if (size < 0) {
      error = errno == EINTR ? 0 : errno;
    } else if (gzwrite(stream, block.data(), static_cast<unsigned>(size)) != size) {
      error = errno != 0 ? errno : EIO;
    }
  }
  errno = 0;
  const int closed = gzclose(stream);
  if (error == 0 && closed != Z_OK) error = errno != 0 ? errno : EIO;
  if (error == 0 && fsync(output) != 0) error = errno;
  return error;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ResultFiles>> ResultFiles::Open(
    const std::string& folder, const std::vector<std::string>& stems) {
  const std::string path = UserPath(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return CannotWrite(path, errno);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write ", path,
                     ": another test_builder writes there; wait for it, or choose "
                     "another -o"));
  }
  std::unique_ptr<ResultFiles> files(new ResultFiles(path, descriptor));
  RETURN_IF_ERROR(RemoveUnfinished(path, stems));
  return files;
}

ResultFiles::~ResultFiles() { close(descriptor_); }

std::string ResultFiles::Path(absl::string_view file_name) const {
  return absl::StrCat(folder_, "/", file_name);
}

absl::Status ResultFiles::Rename(const std::string& unfinished, const std::string& path) const {
  if (rename(unfinished.c_str(), path.c_str()) != 0 || fsync(descriptor_) != 0) {
    return CannotWrite(path, errno);
  }
  return absl::OkStatus();
}

absl::Status ResultFiles::Write(const std::string& file_name, absl::string_view contents) {
  const std::string unfinished = Path(absl::StrCat(file_name, kUnfinished));
  const int descriptor = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return CannotWrite(unfinished, errno);
  int error = 0;
  while (!contents.empty() && error == 0) {
    const ssize_t size = write(descriptor, contents.data(), contents.size());
    if (size >= 0) {
      contents.remove_prefix(static_cast<size_t>(size));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && fsync(descriptor) != 0) error = errno;
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) return CannotWrite(unfinished, error);
  return Rename(unfinished, Path(file_name));
}

std::string ResultFiles::UnfinishedPath(const std::string& stem) const {
  return Path(absl::StrCat(stem, kUnfinished));
}

absl::Status ResultFiles::Compress(const std::string& stem, const std::string& file_name) {
  const std::string from = UnfinishedPath(stem);
  const std::string to = absl::StrCat(from, ".gz");
  const auto remove_both = absl::MakeCleanup([&] {
    unlink(from.c_str());
    unlink(to.c_str());
  });
  const int input = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) return CannotWrite(Path(file_name), errno);
  const auto close_input = absl::MakeCleanup([input] { close(input); });
  const int output = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output < 0) return CannotWrite(to, errno);
  const int error = CopyCompressed(input, output);
  close(output);
  if (error != 0) return CannotWrite(Path(file_name), error);
  return Rename(to, Path(file_name));
}

void ResultFiles::Remove(const std::string& file_name) { unlink(Path(file_name).c_str()); }

absl::Status ResultFiles::Keep(const std::string& stem) {
  RETURN_IF_ERROR(Compress(stem, ResultFileName(stem)));
  Remove(absl::StrCat(stem, kFailed));
  Remove(absl::StrCat(stem, kFailedRecords));
  return absl::OkStatus();
}

absl::StatusOr<std::string> ResultFiles::KeepFailed(const std::string& stem) {
  if (access(UnfinishedPath(stem).c_str(), F_OK) != 0) return "";
  const std::string file_name = absl::StrCat(stem, kFailed);
  RETURN_IF_ERROR(Compress(stem, file_name));
  Remove(absl::StrCat(stem, kFailedRecords));
  return file_name;
}

absl::StatusOr<std::string> ResultFiles::KeepFailedRecords(const std::string& stem,
                                                           const std::string& path) {
  const std::string file_name = absl::StrCat(stem, kFailedRecords);
  RETURN_IF_ERROR(Rename(path, Path(file_name)));
  Remove(absl::StrCat(stem, kFailed));
  return file_name;
}

void ResultFiles::Discard(const std::string& stem) { unlink(UnfinishedPath(stem).c_str()); }

bool HasFile(const std::string& folder, const std::string& file_name) {
  std::error_code error;
  return std::filesystem::exists(absl::StrCat(UserPath(folder), "/", file_name), error);
}

std::string ResultFileName(const std::string& stem) { return absl::StrCat(stem, kResult); }

}  // namespace distbench
