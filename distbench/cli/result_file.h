// ResultFile: where results go. Opened before a test runs, so that a path that cannot be written is
// known then and not after; complete or not there at all, because it gets its name only at the end.
//
// Devices, pipes and standard output ("-", "/dev/stdout") are written to directly. Not thread-safe.
#ifndef DISTBENCH_CLI_RESULT_FILE_H_
#define DISTBENCH_CLI_RESULT_FILE_H_

#include <ostream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

class TestSequenceResults;

class ResultFile {
 public:
  enum class Format { kText, kBinary };

  static absl::StatusOr<ResultFile> Open(absl::string_view path);
  ResultFile(ResultFile&& other) noexcept;
  ResultFile& operator=(ResultFile&&) = delete;
  // Removes what was not completed.
  ~ResultFile();

  bool is_standard_output() const { return is_standard_output_; }
  // Whether it has another name until it is complete.
  bool is_temporary() const { return !temporary_path_.empty(); }
  // How errors call it.
  const std::string& path() const { return path_; }

  // For whoever writes piece by piece, and then calls Complete().
  int descriptor() const { return descriptor_; }
  // Closes the file and gives it its name. Requires: not called before.
  absl::Status Complete();

  // Writes everything and completes the file. Requires: nothing was written before.
  absl::Status Write(const TestSequenceResults& results, Format format);

  // The same for whatever `print` prints, unless that ends with an error, which is returned.
  // Requires: nothing was written before.
  absl::Status Print(absl::FunctionRef<absl::Status(std::ostream&)> print);

 private:
  ResultFile() = default;
  absl::Status Error(absl::string_view what) const;

  int descriptor_ = -1;  // -1: none open
  bool is_standard_output_ = false;
  std::string path_;
  std::string temporary_path_;  // empty: written to directly
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_RESULT_FILE_H_
