// RecordReader: reads a result file, record by record. The file is not trusted: whatever its bytes
// are, the outcome is records with right checksums, an early end, or one error. Not thread-safe.
#ifndef DISTBENCH_RESULT_FILE_RECORD_READER_H_
#define DISTBENCH_RESULT_FILE_RECORD_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace distbench {

class ResultRecord;

// Whether a file that begins with these bytes is one.
bool IsRecordFile(absl::string_view first_bytes);

class RecordReader {
 public:
  // `input` outlives the reader. It begins with the signature.
  explicit RecordReader(google::protobuf::io::ZeroCopyInputStream& input) : input_(input) {}

  // False at the end. DATA_LOSS, with the place, if the next record is damaged.
  absl::StatusOr<bool> Next(ResultRecord* record);

  // Where the last whole record ended; what comes after it is no whole one. Known at the end.
  bool ended_within_record() const { return ended_within_record_; }

 private:
  // Reads `size` bytes. False if the file ends before.
  bool Read(size_t size, std::string* bytes);
  absl::Status Damaged(const std::string& what) const;

  google::protobuf::io::ZeroCopyInputStream& input_;
  bool has_signature_ = false;
  bool ended_within_record_ = false;
  int64_t position_ = 0;  // of the record that is being read
  std::string head_;
  std::string payload_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULT_FILE_RECORD_READER_H_
