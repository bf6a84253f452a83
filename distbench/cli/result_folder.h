// ResultFolder: where a tree of files goes. Like a ResultFile it is complete or not there at all:
// it gets its name only at the end. A folder with something in it is never touched. Not
// thread-safe.
#ifndef DISTBENCH_CLI_RESULT_FOLDER_H_
#define DISTBENCH_CLI_RESULT_FOLDER_H_

#include <ostream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

class ResultFolder {
 public:
  // An error if `path` is there and no empty folder.
  static absl::StatusOr<ResultFolder> Open(absl::string_view path);
  ResultFolder(ResultFolder&& other) noexcept;
  ResultFolder& operator=(ResultFolder&&) = delete;
  // Removes what was not completed.
  ~ResultFolder();

  // Makes the file `path`, relative to the folder, and the folders above it; `write` prints its
  // contents. Requires: no part of `path` is `..`.
  absl::Status MakeFile(const std::string& path,
                        absl::FunctionRef<void(std::ostream&)> write) const;

  // Gives the folder its name. Requires: not called before.
  absl::Status Complete();

 private:
  ResultFolder() = default;

  std::string path_;
  std::string temporary_path_;  // empty: completed, or moved away
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_RESULT_FOLDER_H_
