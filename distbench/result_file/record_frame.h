// The bytes of a result file around its records.
//
//   file   = signature record...
//   record = length (4 bytes) checksum (4 bytes) payload
//
// Numbers are little-endian. `length` is that of the payload, a serialized ResultRecord; `checksum`
// is the CRC-32 of zlib (polynomial 0xEDB88320) over the bytes of length and payload. The signature
// has a byte above 127 and both kinds of line ends, so that a file that was carried as text shows
// it. docs/result_file.md is for people.
#ifndef DISTBENCH_RESULT_FILE_RECORD_FRAME_H_
#define DISTBENCH_RESULT_FILE_RECORD_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace distbench {

inline constexpr absl::string_view kRecordFileSignature(
    "\x89"
    "DBR\r\n\x1a\n",
    8);

inline constexpr size_t kRecordHeadBytes = 8;

// A greater length is damage: no reader has to find memory for whatever a file says.
inline constexpr uint32_t kMaxRecordBytes = uint32_t{1} << 29;

// Length and checksum of a record.
std::array<char, kRecordHeadBytes> RecordHead(absl::string_view payload);

// The length that a head says; its checksum may be wrong. Requires: `head` has kRecordHeadBytes.
uint32_t RecordLength(absl::string_view head);

}  // namespace distbench

#endif  // DISTBENCH_RESULT_FILE_RECORD_FRAME_H_
