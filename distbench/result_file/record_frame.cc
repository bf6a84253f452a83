#include "distbench/result_file/record_frame.h"

#include <zlib.h>

namespace distbench {
namespace {

// Byte by byte, the same on machines of any order.
void Put32(uint32_t value, char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

uint32_t Get32(const char* bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

uint32_t Add(uint32_t checksum, const char* bytes, size_t size) {
  return static_cast<uint32_t>(
      crc32(checksum, reinterpret_cast<const Bytef*>(bytes), static_cast<uInt>(size)));
}

}  // namespace

std::array<char, kRecordHeadBytes> RecordHead(absl::string_view payload) {
  std::array<char, kRecordHeadBytes> head;
  Put32(static_cast<uint32_t>(payload.size()), head.data());
  Put32(Add(Add(0, head.data(), 4), payload.data(), payload.size()), head.data() + 4);
  return head;
}

uint32_t RecordLength(absl::string_view head) { return Get32(head.data()); }

}  // namespace distbench
