// ResultFiles: the folder where configs and results go.
//
//   NAME.config           the test as text
//   NAME.pb.gz            its result: the whole of it, or not there at all
//   NAME.failed.pb.gz     what a test that failed has yielded, until it succeeds
//   NAME.failed.records   the same in the native format, where the other cannot hold so much
//   NAME.unfinished*      what is being written; it gets its name when it is whole and on the disk
//
// So whatever ends the program, and whenever, a file with a proper name can be trusted; what is
// unfinished the next one with the same test removes. Nothing else is ever removed: a result that
// something else has damaged stays until a new one takes its place. One program at a time has a
// folder. Not thread-safe.
#ifndef TEST_BUILDER_RESULT_FILES_H_
#define TEST_BUILDER_RESULT_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

class ResultFiles {
 public:
  // Makes the folder if it is not there, and removes what is unfinished in it of the tests whose
  // files have these stems.
  static absl::StatusOr<std::unique_ptr<ResultFiles>> Open(const std::string& folder,
                                                           const std::vector<std::string>& stems);
  ~ResultFiles();
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  const std::string& folder() const { return folder_; }

  // Writes a file in one go; one of that name is replaced.
  absl::Status Write(const std::string& file_name, absl::string_view contents);

  // Where the result of a test is to be written, uncompressed; then one of these makes it the
  // test's, or that of a test that failed, or takes it away. What cannot be kept is removed too,
  // because it fills the disk.
  std::string UnfinishedPath(const std::string& stem) const;
  absl::Status Keep(const std::string& stem);
  // Return the name of the file; empty: the test has left nothing. `path` is where its records are.
  absl::StatusOr<std::string> KeepFailed(const std::string& stem);
  absl::StatusOr<std::string> KeepFailedRecords(const std::string& stem, const std::string& path);
  void Discard(const std::string& stem);

 private:
  ResultFiles(std::string folder, int descriptor) : folder_(folder), descriptor_(descriptor) {}

  std::string Path(absl::string_view file_name) const;
  absl::Status Compress(const std::string& stem, const std::string& file_name);
  void Remove(const std::string& file_name);
  absl::Status Rename(const std::string& unfinished, const std::string& path) const;

  const std::string folder_;
  const int descriptor_;  // of the folder; holds its lock
};

// For those who only look: whether `folder` has this file.
bool HasFile(const std::string& folder, const std::string& file_name);

// The name of a test's result.
std::string ResultFileName(const std::string& stem);

}  // namespace distbench

#endif  // TEST_BUILDER_RESULT_FILES_H_
