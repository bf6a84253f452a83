// The frames that travel on a connection of the tcp driver, the same in both directions.
//
//   byte  0          7      8         16
//         | length   | type | call id | body: `length` bytes
//         '------------ header -------'
//
// Numbers are little-endian. The call id is the caller's, returned by the answer; 0 where a frame
// concerns no call.
//
//   hello     first frame both ways: "distbench-tcp", who speaks (one byte), version (u32)
//   request   the message's bytes
//   response  the message's bytes
//   error     an answer without a message: status code (u32), text
//   cancel    no body: the caller no longer wants the answer
//   one-way   the message's bytes; there is no answer
//   credit    no body; in place of the call id how many one-way messages the server has served
//
// A client may send kOneWayWindow one-way messages more than it has had credit for. A server gives
// credit for kCreditBatch of them at a time, and whenever it has none of them left to serve.
//
// Pure functions. Everything that is decoded comes from outside: what is wrong is told by a Status.
#ifndef DISTBENCH_DRIVER_TCP_FRAME_H_
#define DISTBENCH_DRIVER_TCP_FRAME_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "distbench/payload/message.h"

namespace distbench {

enum class FrameType : uint8_t {
  kHello = 1,
  kRequest = 2,
  kResponse = 3,
  kError = 4,
  kCancel = 5,
  kOneWay = 6,
  kCredit = 7,
};

// Names a call on one connection: a slot of the caller's table, and which of the calls that have
// used the slot it is. Slots are used from 0 on: a caller opens slot n only after all below n.
struct CallId {
  uint32_t slot = 0;
  uint32_t generation = 0;

  friend bool operator==(const CallId&, const CallId&) = default;
};

struct FrameHeader {
  FrameType type = FrameType::kHello;
  uint64_t body_bytes = 0;  // below 2^56
  CallId id = {};
};

inline constexpr size_t kFrameHeaderBytes = 16;

inline constexpr uint32_t kOneWayWindow = 1024;  // of a connection
inline constexpr uint32_t kCreditBatch = kOneWayWindow / 4;

// The largest message, as with gRPC.
inline constexpr int64_t kMaxTcpMessageBytes = (int64_t{1} << 31) - 1;

namespace frame_internal {

inline constexpr int kTypeShift = 56;

inline uint64_t LittleEndian(uint64_t value) {
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

}  // namespace frame_internal

// Writes kFrameHeaderBytes to `out`.
inline void EncodeFrameHeader(const FrameHeader& header, char* out) {
  using frame_internal::LittleEndian;
  const uint64_t words[2] = {LittleEndian(header.body_bytes | static_cast<uint64_t>(header.type)
                                                                  << frame_internal::kTypeShift),
                             LittleEndian(header.id.slot | uint64_t{header.id.generation} << 32)};
  std::memcpy(out, words, sizeof(words));
}

// Reads kFrameHeaderBytes from `in`. The result is still to be checked.
inline FrameHeader DecodeFrameHeader(const char* in) {
  using frame_internal::LittleEndian;
  uint64_t words[2];
  std::memcpy(words, in, sizeof(words));
  const uint64_t word = LittleEndian(words[0]);
  const uint64_t id = LittleEndian(words[1]);
  return {.type = static_cast<FrameType>(word >> frame_internal::kTypeShift),
          .body_bytes = word & ((uint64_t{1} << frame_internal::kTypeShift) - 1),
          .id = {.slot = static_cast<uint32_t>(id), .generation = static_cast<uint32_t>(id >> 32)}};
}

// OK if the type is known and a body of that type may be so long.
absl::Status CheckFrameHeader(const FrameHeader& header, int64_t max_message_bytes);

// --- Bodies

enum class HelloRole : char { kClient = 'C', kServer = 'S' };

std::string EncodeHello(HelloRole speaker);

// OK if the body is the hello of such a speaker, in the version that this program speaks.
absl::Status CheckHello(HelloRole speaker, const ReceivedMessage& body);

// Long texts are cut. Requires: not OK.
std::string EncodeError(const absl::Status& status);

// What the body says. InvalidArgument if it says nothing that can be understood.
absl::Status DecodeError(const ReceivedMessage& body);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_FRAME_H_
