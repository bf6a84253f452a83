// ReadyMessage: a gRPC message whose bytes are made once and sent any number of times.
#ifndef BENCHMARKS_FLOORS_GRPC_READY_MESSAGE_H_
#define BENCHMARKS_FLOORS_GRPC_READY_MESSAGE_H_

#include <grpc/byte_buffer.h>
#include <grpc/slice.h>

#include <cstdint>

namespace distbench {

inline constexpr char kFloorMethod[] = "/distbench.Traffic/GenericRpc";

class ReadyMessage {
 public:
  // Requires: size_bytes is at most kPayloadPatternSize.
  explicit ReadyMessage(int64_t size_bytes);
  ~ReadyMessage() { grpc_slice_unref(bytes_); }
  ReadyMessage(const ReadyMessage&) = delete;
  ReadyMessage& operator=(const ReadyMessage&) = delete;

  // Makes `buffer` hold the message. Sending empties a buffer, so this is done before each.
  void FillIn(grpc_byte_buffer* buffer) const;

  // Whether a received message has the size of this one.
  bool HasSizeOf(grpc_byte_buffer* received) const {
    return received != nullptr && grpc_byte_buffer_length(received) == GRPC_SLICE_LENGTH(bytes_);
  }

 private:
  const grpc_slice bytes_;
};

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_GRPC_READY_MESSAGE_H_
