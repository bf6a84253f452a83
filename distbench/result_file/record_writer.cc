#include "distbench/result_file/record_writer.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/result_file/record_frame.h"
#include "protos/result_record.pb.h"

namespace distbench {

absl::Status RecordWriter::Write(const ResultRecord& record) {
  RETURN_IF_ERROR(status_);
  buffer_.clear();
  if (!has_signature_) buffer_.append(kRecordFileSignature.data(), kRecordFileSignature.size());
  has_signature_ = true;
  const size_t head_position = buffer_.size();
  buffer_.append(kRecordHeadBytes, '\0');
  const size_t size = record.ByteSizeLong();
  if (size > kMaxRecordBytes || !record.AppendToString(&buffer_)) {
    status_ = absl::ResourceExhaustedError(absl::StrCat("cannot write ", name_, ": a record of ",
                                                        size, " bytes exceeds ", kMaxRecordBytes,
                                                        "; run tests with fewer instances"));
    return status_;
  }
  const absl::string_view payload =
      absl::string_view(buffer_).substr(head_position + kRecordHeadBytes);
  const auto head = RecordHead(payload);
  buffer_.replace(head_position, kRecordHeadBytes, head.data(), head.size());
  status_ = WriteAll(buffer_);
  return status_;
}

absl::Status RecordWriter::WriteAll(const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("cannot write ", name_, ": ", std::generic_category().message(errno)));
    }
    done += static_cast<size_t>(written);
  }
  return absl::OkStatus();
}

}  // namespace distbench
