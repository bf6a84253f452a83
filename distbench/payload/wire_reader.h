// WireReader: reads the protobuf wire format front to back, from bytes that lie in pieces.
//
//   WireReader reader(message);
//   while (reader.NextField()) {
//     if (reader.field_is(1, WireType::kVarint)) index = reader.ReadVarint();
//     else reader.SkipValue();
//   }
//   if (!reader.ok()) ...
//
// After an error the reader stays at its end: NextField() is false, values read are 0. It allocates
// nothing, and skips a value that reaches to the end of the message, as a payload usually does,
// without walking over its pieces. Not thread-safe.
#ifndef DISTBENCH_PAYLOAD_WIRE_READER_H_
#define DISTBENCH_PAYLOAD_WIRE_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "distbench/payload/message.h"

namespace distbench {

enum class WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

class WireReader {
 public:
  // The message's bytes must outlive the reader.
  explicit WireReader(const ReceivedMessage& message)
      : later_(message.fragments), remaining_(message.size), size_(message.size) {}

  bool ok() const { return error_ == nullptr; }

  // What is wrong, and where. Null and meaningless while ok().
  const char* error() const { return error_; }
  int64_t error_offset() const { return error_offset_; }

  // Reads the next field's tag. False at the end of the message and after an error. The value must
  // then be read or skipped before the next call.
  bool NextField() {
    if (remaining_ == 0) return false;
    ReadTag();
    if (ok() && type_ == WireType::kEndGroup) Fail("a group ends that never began");
    return ok();
  }

  bool field_is(uint32_t number, WireType type) const { return number_ == number && type_ == type; }

  // Requires: the field is a varint.
  uint64_t ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const uint8_t byte = ReadByte();
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return ok() ? value : 0;
    }
    Fail("a varint is longer than 10 bytes");
    return 0;
  }

  // Requires: the field is a fixed64.
  uint64_t ReadFixed64() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8) value |= uint64_t{ReadByte()} << shift;
    return ok() ? value : 0;
  }

  // Replaces `value` by the field's bytes. Requires: the field is length-delimited.
  void ReadBytes(std::string* value) {
    value->clear();
    ReadPieces([value](absl::string_view piece) { value->append(piece.data(), piece.size()); });
  }

  // Calls `visit(absl::string_view)` for the field's bytes, piece by piece, in order. Requires: the
  // field is length-delimited.
  template <typename Visit>
  void ReadPieces(Visit visit) {
    int64_t left = ReadLength();
    while (left > 0 && MoveToUnreadByte()) {
      const int64_t piece = std::min<int64_t>(left, end_ - next_);
      visit(absl::string_view(next_, static_cast<size_t>(piece)));
      Advance(piece);
      left -= piece;
    }
  }

  // Skips the field's value, whatever its type.
  void SkipValue() { SkipValueAtDepth(0); }

 private:
  // As deep as protobuf's own parsers follow nested groups.
  static constexpr int kMaxGroupDepth = 100;

  // Like protobuf: at most five bytes, of which the low 32 bits count.
  void ReadTag() {
    uint32_t tag = 0;
    int shift = 0;
    uint8_t byte;
    do {
      byte = ReadByte();
      tag |= uint32_t{byte & 0x7fu} << shift;
      shift += 7;
    } while (byte >= 0x80 && shift < 35);
    number_ = tag >> 3;
    type_ = static_cast<WireType>(tag & 7);
    if (ABSL_PREDICT_FALSE(number_ == 0 || byte >= 0x80)) Fail("no valid field number");
  }

  uint8_t ReadByte() {
    if (ABSL_PREDICT_FALSE(next_ == end_) && !MoveToUnreadByte()) return 0;
    --remaining_;
    return static_cast<uint8_t>(*next_++);
  }

  int64_t ReadLength() {
    const uint64_t length = ReadVarint();
    if (length <= static_cast<uint64_t>(remaining_)) return static_cast<int64_t>(length);
    Fail("a field is longer than what is left of the message");
    return 0;
  }

  // Makes next_ point at the first unread byte; an error if there is none.
  bool MoveToUnreadByte() {
    while (next_ == end_) {
      if (later_.empty()) {
        Fail("the message ends within a field");
        return false;
      }
      next_ = later_.front().data();
      end_ = next_ + later_.front().size();
      later_.remove_prefix(1);
    }
    return true;
  }

  // Requires: `count` bytes of the current fragment are unread.
  void Advance(int64_t count) {
    next_ += count;
    remaining_ -= count;
  }

  void Skip(int64_t count) {
    if (count > remaining_) {
      Fail("the message ends within a field");
    } else if (count == remaining_) {
      MoveToEnd();
    } else {
      while (count > 0 && MoveToUnreadByte()) {
        const int64_t piece = std::min<int64_t>(count, end_ - next_);
        Advance(piece);
        count -= piece;
      }
    }
  }

  void SkipValueAtDepth(int depth) {
    switch (type_) {
      case WireType::kVarint:
        ReadVarint();
        return;
      case WireType::kFixed64:
        return Skip(8);
      case WireType::kLengthDelimited:
        return Skip(ReadLength());
      case WireType::kStartGroup:
        return SkipGroup(number_, depth + 1);
      case WireType::kFixed32:
        return Skip(4);
      case WireType::kEndGroup:
        break;
    }
    Fail("no valid wire type");
  }

  void SkipGroup(uint32_t group_number, int depth) {
    if (depth > kMaxGroupDepth) return Fail("groups are nested too deeply");
    while (ok()) {
      ReadTag();
      if (!ok()) return;
      if (type_ == WireType::kEndGroup) {
        if (number_ != group_number) Fail("a group ends with another group's number");
        return;
      }
      SkipValueAtDepth(depth);
    }
  }

  void Fail(const char* error) {
    if (!ok()) return;
    error_ = error;
    error_offset_ = size_ - remaining_;
    MoveToEnd();
  }

  void MoveToEnd() {
    remaining_ = 0;
    next_ = end_ = nullptr;
    later_ = {};
  }

  const char* next_ = nullptr;  // unread bytes of the current fragment
  const char* end_ = nullptr;
  absl::Span<const absl::string_view> later_;
  int64_t remaining_;  // unread bytes of the message
  const int64_t size_;
  uint32_t number_ = 0;  // of the current field
  WireType type_ = WireType::kVarint;
  const char* error_ = nullptr;
  int64_t error_offset_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_PAYLOAD_WIRE_READER_H_
