// SendBuffer, ReceiveBuffer: messages as gRPC's byte buffers, without copying a payload.
//
// What is sent is a list of slices: one with a copy of the head, which gRPC keeps in the slice
// itself as long as it is short, and then slices that refer to the payload pattern. What was
// received is looked at where it lies.
#ifndef DISTBENCH_DRIVER_GRPC_MESSAGE_BUFFER_H_
#define DISTBENCH_DRIVER_GRPC_MESSAGE_BUFFER_H_

#include <grpc/byte_buffer.h>
#include <grpc/grpc.h>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "distbench/payload/message.h"

namespace distbench {

// gRPC's messages are no longer than this.
inline constexpr int64_t kMaxGrpcMessageSize = 0x7fffffff;

// Belongs to a pooled call and is filled anew for each RPC.
class SendBuffer {
 public:
  SendBuffer();
  ~SendBuffer();
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  // Requires: message.size() <= kMaxGrpcMessageSize; what was sent before has been sent.
  void Fill(const OutgoingMessage& message);

  // The same at all times.
  grpc_byte_buffer* get() const { return buffer_; }

 private:
  grpc_byte_buffer* const buffer_;
};

class ReceiveBuffer {
 public:
  // Takes over `buffer`, which may be null.
  explicit ReceiveBuffer(grpc_byte_buffer* buffer);
  ~ReceiveBuffer();
  ReceiveBuffer(const ReceiveBuffer&) = delete;
  ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

  bool has_message() const { return buffer_ != nullptr; }

  // Lives as long as this object. Empty without a message.
  ReceivedMessage message() const { return {.fragments = fragments_, .size = size_}; }

 private:
  grpc_byte_buffer* const buffer_;
  // gRPC reads from sockets in pieces of some KiB: room for half a MiB without allocation.
  absl::InlinedVector<absl::string_view, 64> fragments_;
  int64_t size_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_MESSAGE_BUFFER_H_
