// RawMessage: a GenericRequestResponse, byte by byte, from the table of its fields alone.
#ifndef DISTBENCH_INTEROP_RAW_MESSAGE_H_
#define DISTBENCH_INTEROP_RAW_MESSAGE_H_

#include <cstdint>
#include <string>

namespace distbench {

class RawMessage {
 public:
  // Each appends a field, whether it was there before or not.
  RawMessage& Varint(const std::string& field, uint64_t value);
  RawMessage& Bytes(const std::string& field, const std::string& value);
  RawMessage& Fixed32(const std::string& field, uint32_t value);
  RawMessage& Fixed64(const std::string& field, uint64_t value);
  // A field that nobody knows.
  RawMessage& UnknownVarint(int number, uint64_t value);
  RawMessage& UnknownBytes(int number, const std::string& value);

  const std::string& bytes() const { return bytes_; }

 private:
  enum class WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  void Tag(int number, WireType type);
  void AppendVarint(uint64_t value);
  void AppendFixed(uint64_t value, int bytes);
  static int NumberOf(const std::string& field);

  std::string bytes_;
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_RAW_MESSAGE_H_
