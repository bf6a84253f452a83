#include "distbench/driver/grpc/message_buffer.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/slice.h>
#include <grpc/slice_buffer.h>

namespace distbench {

SendBuffer::SendBuffer() : buffer_(grpc_raw_byte_buffer_create(nullptr, 0)) {}

SendBuffer::~SendBuffer() { grpc_byte_buffer_destroy(buffer_); }

void SendBuffer::Fill(const OutgoingMessage& message) {
  grpc_slice_buffer* slices = &buffer_->data.raw.slice_buffer;
  grpc_slice_buffer_reset_and_unref(slices);
  grpc_slice_buffer_add(slices,
                        grpc_slice_from_copied_buffer(message.head.data(), message.head.size()));
  ForEachPayloadPiece(message, [&](absl::string_view piece) {
    grpc_slice_buffer_add(slices, grpc_slice_from_static_buffer(piece.data(), piece.size()));
  });
}

ReceiveBuffer::ReceiveBuffer(grpc_byte_buffer* buffer) : buffer_(buffer) {
  grpc_byte_buffer_reader reader;
  if (buffer == nullptr || grpc_byte_buffer_reader_init(&reader, buffer) == 0) return;
  grpc_slice* slice;
  while (grpc_byte_buffer_reader_peek(&reader, &slice) != 0) {
    fragments_.emplace_back(reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(*slice)),
                            GRPC_SLICE_LENGTH(*slice));
    size_ += static_cast<int64_t>(fragments_.back().size());
  }
  grpc_byte_buffer_reader_destroy(&reader);
}

ReceiveBuffer::~ReceiveBuffer() {
  if (buffer_ != nullptr) grpc_byte_buffer_destroy(buffer_);
}

}  // namespace distbench
