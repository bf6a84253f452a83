// RecordWriter: writes a result file, record by record. Each record is one write, so that whoever
// reads the file meanwhile, or after a crash, finds whole records and at most a part of the last.
// Not thread-safe.
#ifndef DISTBENCH_RESULT_FILE_RECORD_WRITER_H_
#define DISTBENCH_RESULT_FILE_RECORD_WRITER_H_

#include <string>

#include "absl/status/status.h"

namespace distbench {

class ResultRecord;

class RecordWriter {
 public:
  // `descriptor` outlives the writer; `name` is how errors call the file.
  RecordWriter(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}

  // RESOURCE_EXHAUSTED: the record is too large, wherever it goes; else why the file cannot be
  // written. After an error nothing more is written, and every call returns that error.
  absl::Status Write(const ResultRecord& record);

 private:
  absl::Status WriteAll(const std::string& bytes);

  const int descriptor_;
  const std::string name_;
  bool has_signature_ = false;
  absl::Status status_;
  std::string buffer_;  // of the record that is being written
};

}  // namespace distbench

#endif  // DISTBENCH_RESULT_FILE_RECORD_WRITER_H_
