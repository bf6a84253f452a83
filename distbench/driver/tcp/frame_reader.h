// FrameReader: makes frames of a stream of bytes, wherever the stream is cut.
//
//   iovec room[FrameReader::kMaxRoom];
//   const size_t count = reader.PrepareRoom(room);
//   reader.Commit(readv(fd, room, count));
//   while (true) {
//     if (!reader.NextFrames(&batch).ok()) ...  // the stream is no sequence of frames
//     if (batch.empty()) break;
//     ... handle the batch ...
//   }
//   reader.ReleaseConsumed();
//
// Bytes stay where the kernel put them, in chunks of the loop's pool, until the frames that they
// belong to were handled: there is one copy, and no allocation once the pool has what it needs.
// Between reads the memory held is that of the bytes that have come, rounded up to whole chunks,
// whatever a header claims will come. A reader that holds no part of a frame holds none.
//
// Not thread-safe.
#ifndef DISTBENCH_DRIVER_TCP_FRAME_READER_H_
#define DISTBENCH_DRIVER_TCP_FRAME_READER_H_

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "distbench/driver/tcp/chunk_pool.h"
#include "distbench/driver/tcp/frame.h"
#include "distbench/driver/tcp/frame_batch.h"

namespace distbench {

class FrameReader {
 public:
  // Pieces that one read may fill.
  static constexpr size_t kMaxRoom = 9;

  // `pool` outlives the reader.
  FrameReader(ChunkPool* pool, int64_t max_message_bytes)
      : pool_(pool), max_message_bytes_(max_message_bytes) {}
  ~FrameReader() { Clear(); }
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  // Where the next bytes of the stream shall go; returns how many elements of `room` it filled.
  // Makes room for the rest of a frame that has begun, as far as kMaxRoom goes.
  // Requires: room.size() >= kMaxRoom.
  size_t PrepareRoom(absl::Span<iovec> room);

  // So many bytes were put there.
  void Commit(size_t bytes);

  // Replaces the batch by the next complete frames, none if there are none. Not OK if the stream
  // goes on with what is no frame; frames before that are returned first.
  absl::Status NextFrames(FrameBatch* batch);

  // Gives back the memory of the frames that NextFrames has returned, and unused room.
  void ReleaseConsumed();

  // Forgets everything: the stream has ended.
  void Clear();

  // Chunks held, for tests.
  size_t chunk_count() const { return chunks_.size(); }

 private:
  static constexpr size_t kChunkBytes = ChunkPool::kChunkBytes;

  // A place in the stream: byte `offset` of chunk `chunk`; offset kChunkBytes is the end of it.
  struct Position {
    size_t chunk = 0;
    size_t offset = 0;
  };

  // The usual frame, by one look.
  bool IsPlainMessage() const {
    return (header_.type == FrameType::kRequest || header_.type == FrameType::kResponse ||
            header_.type == FrameType::kOneWay) &&
           header_.body_bytes <= static_cast<uint64_t>(max_message_bytes_);
  }

  size_t BytesAtOnce() const;
  void ReadHeader();
  void CopyOut(char* out, size_t bytes);
  void TakeBody(FrameBatch* batch);

  ChunkPool* const pool_;
  const int64_t max_message_bytes_;

  std::vector<ChunkPool::Chunk> chunks_;
  Position read_;            // first byte that no frame was made of
  Position write_;           // where the next byte goes
  size_t unread_bytes_ = 0;  // between the two
  bool has_header_ = false;
  FrameHeader header_;  // of the frame whose body comes next, if has_header_
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_FRAME_READER_H_
