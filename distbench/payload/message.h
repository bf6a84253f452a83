// Message: the bytes of one RPC message, without copies of its payload.
//
// A message is a short encoded head, made for each RPC, followed by `payload_size` bytes of
// payload out of the same immutable bytes for everybody (PayloadPattern). A driver sends the two
// parts as they stand; nothing is filled or copied for an RPC.
#ifndef DISTBENCH_PAYLOAD_MESSAGE_H_
#define DISTBENCH_PAYLOAD_MESSAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace distbench {

// Payloads begin within the first half of the pattern.
inline constexpr size_t kPayloadPatternSize = size_t{1} << 20;
inline constexpr uint32_t kPayloadOffsets = kPayloadPatternSize / 2;

// What is to be sent.
struct OutgoingMessage {
  absl::string_view head = {};  // lives as long as the call it is passed to says
  int64_t payload_size = 0;     // bytes of the pattern that follow the head
  uint32_t payload_offset = 0;  // in the pattern, of the first of them; below kPayloadOffsets

  int64_t size() const { return static_cast<int64_t>(head.size()) + payload_size; }
};

// What has been received: the bytes in order, in as many pieces as the driver got them.
// A view: it lives as long as the call that passes it says.
struct ReceivedMessage {
  absl::Span<const absl::string_view> fragments = {};
  int64_t size = 0;  // sum of the fragments' sizes
  // Of a request: when the driver had all of it, on the monotonic clock. Requests that came
  // together have one time. 0: the driver does not tell.
  int64_t arrival_ns = 0;
};

// Pseudo-random bytes (no compression, no deduplication on the way) that all payloads are made of.
// A payload that comes to the end of the pattern goes on at its beginning. Immutable, alive until
// the process ends.
absl::string_view PayloadPattern();

// Calls `piece(absl::string_view)` for each stretch of the pattern that the payload of `message`
// consists of, in order; each but the first and the last is the whole pattern.
template <typename Piece>
void ForEachPayloadPiece(const OutgoingMessage& message, Piece piece) {
  const absl::string_view pattern = PayloadPattern();
  size_t offset = message.payload_offset;
  for (int64_t left = message.payload_size; left > 0; offset = 0) {
    const size_t size = static_cast<size_t>(
        std::min<int64_t>(left, static_cast<int64_t>(kPayloadPatternSize - offset)));
    piece(pattern.substr(offset, size));
    left -= static_cast<int64_t>(size);
  }
}

}  // namespace distbench

#endif  // DISTBENCH_PAYLOAD_MESSAGE_H_
