#include "benchmarks/floors/grpc_ready_message.h"

#include <grpc/slice_buffer.h>

#include "distbench/payload/message.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// Short messages fit into a slice without a reference; of long ones the bytes are shared.
constexpr size_t kCopiedBytes = 256;

grpc_slice MakeSlice(size_t size_bytes) {
  CHECK_LE(size_bytes, kPayloadPatternSize);
  const char* bytes = PayloadPattern().data();
  return size_bytes <= kCopiedBytes ? grpc_slice_from_copied_buffer(bytes, size_bytes)
                                    : grpc_slice_from_static_buffer(bytes, size_bytes);
}

}  // namespace

ReadyMessage::ReadyMessage(int64_t size_bytes)
    : bytes_(MakeSlice(static_cast<size_t>(size_bytes))) {}

void ReadyMessage::FillIn(grpc_byte_buffer* buffer) const {
  grpc_slice_buffer* slices = &buffer->data.raw.slice_buffer;
  grpc_slice_buffer_reset_and_unref(slices);
  grpc_slice_buffer_add(slices, grpc_slice_ref(bytes_));
}

}  // namespace distbench
