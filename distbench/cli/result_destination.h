// ResultDestination: where the records of a sequence go while it runs, and what becomes of them.
//
//   native   records --> the file itself, which appears under its name at the end
//   public   records --> a file of records beside it --at the end--> the file, in one message
//
// Summaries are printed as soon as a test's is there, however long its samples take. A crash leaves
// the file of records (FILE.partial.PID, or FILE.records.PID for the public formats), which
// `export` reads. Not thread-safe.
#ifndef DISTBENCH_CLI_RESULT_DESTINATION_H_
#define DISTBENCH_CLI_RESULT_DESTINATION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/cli/result_file.h"
#include "distbench/result_file/record_writer.h"
#include "distbench/results/result_assembler.h"
#include "protos/distbench.pb.h"

namespace distbench {

class ResultRecord;

class ResultDestination {
 public:
  enum class Format { kText, kBinary, kNative };

  // An error if one of the files cannot be made. `summaries` outlives the destination. The public
  // formats hold `max_bytes`.
  static absl::StatusOr<std::unique_ptr<ResultDestination>> Open(
      absl::string_view path, Format format, std::ostream& summaries,
      size_t max_bytes = kMaxResultBytes);
  ~ResultDestination();

  // The next record. What cannot be written is told by Finish(); summaries are printed all the
  // same.
  void Add(const ResultRecord& record);

  // Completes the file with what has come, be it whole or not. Without any test there is no file.
  // RESOURCE_EXHAUSTED: a result is too large; else why the file cannot be written.
  absl::Status Finish();

  // After Finish(), where the public formats could not hold so much: a file of the records, for
  // whoever gives it a name. Else empty.
  std::string kept_records() const { return keeps_records_ ? records_path_ : ""; }

  // The tests so far, without logs.
  const TestSequenceResults& tests() const { return tests_; }

 private:
  ResultDestination(ResultFile file, Format format, std::ostream& summaries, size_t max_bytes)
      : file_(std::move(file)), format_(format), summaries_(summaries), max_bytes_(max_bytes) {}
  absl::Status OpenRecords();
  absl::Status WritePublic();
  absl::Status TooLarge();

  ResultFile file_;
  const Format format_;
  std::ostream& summaries_;
  const size_t max_bytes_;
  // Public formats: the file of records.
  int records_descriptor_ = -1;  // -1: native
  std::string records_path_;     // empty: without a name
  bool keeps_records_ = false;   // somebody needs them
  std::optional<RecordWriter> writer_;
  absl::Status written_;
  TestSequenceResults tests_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_RESULT_DESTINATION_H_
