#include "distbench/cli/result_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/cli/descriptor_buffer.h"
#include "distbench/cli/user_path.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"

namespace distbench {

namespace {

bool IsStandardOutput(absl::string_view path) {
  return path.empty() || path == "-" || path == "/dev/stdout";
}

// Whether the path is there and something that a file must not be renamed over.
bool IsDeviceOrPipe(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

absl::StatusOr<ResultFile> ResultFile::Open(absl::string_view path) {
  ResultFile file;
  if (IsStandardOutput(path)) {
    file.path_ = "standard output";
    file.is_standard_output_ = true;
    file.descriptor_ = dup(STDOUT_FILENO);
  } else {
    file.path_ = UserPath(path);
    struct stat status = {};
    if (stat(file.path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      errno = EISDIR;
    } else if (IsDeviceOrPipe(file.path_)) {
      file.descriptor_ = open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
      file.temporary_path_ = absl::StrCat(file.path_, ".partial.", getpid());
      file.descriptor_ =
          open(file.temporary_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
  }
  if (file.descriptor_ < 0) return file.Error("cannot write");
  return file;
}

ResultFile::ResultFile(ResultFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_standard_output_(other.is_standard_output_),
      path_(std::move(other.path_)),
      temporary_path_(std::exchange(other.temporary_path_, "")) {}

ResultFile::~ResultFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
}

absl::Status ResultFile::Write(const TestSequenceResults& results, Format format) {
  google::protobuf::io::FileOutputStream stream(descriptor_);
  const bool written = format == Format::kBinary
                           ? results.SerializeToZeroCopyStream(&stream)
                           : google::protobuf::TextFormat::Print(results, &stream);
  if (!written || !stream.Flush()) {
    if (stream.GetErrno() != 0) {
      errno = stream.GetErrno();
      return Error("cannot write");
    }
    return absl::ResourceExhaustedError(
        absl::StrCat(path_,
                     ": results of more than 2 GiB do not fit the binary format; leave out "
                     "--binary_output, or set tests_setting.keep_instance_log=false"));
  }
  return Complete();
}

absl::Status ResultFile::Print(absl::FunctionRef<absl::Status(std::ostream&)> print) {
  DescriptorBuffer buffer(descriptor_);
  std::ostream out(&buffer);
  const absl::Status printed = print(out);
  if (!printed.ok()) return printed;
  out.flush();
  if (buffer.error() != 0) {
    errno = buffer.error();
    return Error("cannot write");
  }
  return Complete();
}

absl::Status ResultFile::Complete() {
  if (close(std::exchange(descriptor_, -1)) != 0) return Error("cannot write");
  if (temporary_path_.empty()) return absl::OkStatus();
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0) return Error("cannot write");
  temporary_path_.clear();
  return absl::OkStatus();
}

absl::Status ResultFile::Error(absl::string_view what) const {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " ", path_, ": ", std::generic_category().message(errno)));
}

}  // namespace distbench
