// SendQueue: the bytes that wait to be written to a connection.
//
// A frame's header and head, and a short payload, are copied into chunks that the queue reuses, so
// that many small frames become one contiguous write. A long payload is not copied: the queue
// notes how much of the PayloadPattern is to be sent.
//
//   segments   | copied 900 B | pattern 0..262144 | copied 64 B |
//   chunks     [ 900 B                              + 64 B, free room ]
//
// Pieces that Gather() returned stay where they are while more is appended, so that a writer need
// not keep others from appending during its system call. No allocation once the queue has been as
// long as it gets. Not thread-safe.
#ifndef DISTBENCH_DRIVER_TCP_SEND_QUEUE_H_
#define DISTBENCH_DRIVER_TCP_SEND_QUEUE_H_

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "distbench/driver/tcp/frame.h"
#include "distbench/payload/message.h"

namespace distbench {

class SendQueue {
 public:
  // Payloads up to this size are copied: about what one more piece costs in the system call.
  static constexpr int64_t kMaxCopiedPayload = 4 << 10;
  static_assert(kPayloadOffsets + kMaxCopiedPayload <= kPayloadPatternSize);

  int64_t size_bytes() const { return size_bytes_; }
  bool empty() const { return size_bytes_ == 0; }

  // A frame with this body. The head is copied.
  void AppendFrame(FrameType type, CallId id, const OutgoingMessage& body);

  // The first bytes of the queue, in order, at most pieces.size() pieces. Returns how many pieces.
  size_t Gather(absl::Span<iovec> pieces) const;

  // So many bytes, from the first on, have been written. Requires: they are in the queue.
  void Consume(size_t bytes);

  void Clear();

 private:
  static constexpr size_t kChunkBytes = size_t{16} << 10;
  using Chunk = std::unique_ptr<char[]>;

  // Consecutive bytes of a chunk or, with null data, of a payload, counted from the pattern's
  // beginning.
  struct Segment {
    const char* data = nullptr;
    int64_t size = 0;
    int64_t written = 0;      // of those
    bool ends_chunk = false;  // no later segment is in the same chunk
  };

  // Room for `size` bytes that are to be written by the caller and belong together.
  // Requires: size <= kChunkBytes.
  char* AppendRoom(size_t size);
  void AppendCopy(absl::string_view bytes);
  void BeginChunk();
  Segment* LastCopiedSegment();
  void DropFirstSegment();
  void Rewind();

  std::vector<Segment> segments_;
  size_t first_segment_ = 0;  // those before it have been written
  int64_t size_bytes_ = 0;

  std::vector<Chunk> chunks_;        // in the order of their bytes; the last one has room
  size_t first_chunk_ = 0;           // those before it are in free_
  size_t chunk_used_ = kChunkBytes;  // of the last one
  std::vector<Chunk> free_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_SEND_QUEUE_H_
