#include "distbench/result_file/record_reader.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/result_file/record_frame.h"
#include "protos/result_record.pb.h"

namespace distbench {

bool IsRecordFile(absl::string_view first_bytes) {
  return absl::StartsWith(first_bytes, kRecordFileSignature);
}

absl::StatusOr<bool> RecordReader::Next(ResultRecord* record) {
  if (!has_signature_) {
    if (!Read(kRecordFileSignature.size(), &head_) || !IsRecordFile(head_)) {
      return Damaged("it does not begin with the signature of a result file");
    }
    has_signature_ = true;
    position_ = static_cast<int64_t>(kRecordFileSignature.size());
  }
  if (!Read(kRecordHeadBytes, &head_)) {
    ended_within_record_ = !head_.empty();
    return false;
  }
  const uint32_t length = RecordLength(head_);
  if (length > kMaxRecordBytes) {
    return Damaged(absl::StrCat("its length is ", length, ", more than ", kMaxRecordBytes));
  }
  if (!Read(length, &payload_)) {
    ended_within_record_ = true;
    return false;
  }
  const auto expected = RecordHead(payload_);
  if (!std::equal(expected.begin(), expected.end(), head_.begin())) {
    return Damaged("its checksum is wrong");
  }
  if (!record->ParseFromString(payload_)) return Damaged("it is no ResultRecord");
  position_ += static_cast<int64_t>(kRecordHeadBytes + length);
  return true;
}

// Grows with what is there, not with what a damaged length asks for.
bool RecordReader::Read(size_t size, std::string* bytes) {
  bytes->clear();
  while (bytes->size() < size) {
    const void* data = nullptr;
    int available = 0;
    if (!input_.Next(&data, &available)) return false;
    const size_t wanted = size - bytes->size();
    const size_t taken = std::min(wanted, static_cast<size_t>(available));
    bytes->append(static_cast<const char*>(data), taken);
    if (taken < static_cast<size_t>(available)) {
      input_.BackUp(available - static_cast<int>(taken));
    }
  }
  return true;
}

absl::Status RecordReader::Damaged(const std::string& what) const {
  return absl::DataLossError(
      absl::StrCat("it is damaged: the record at byte ", position_, ": ", what));
}

}  // namespace distbench
