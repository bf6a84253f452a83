// GenericRequestResponse by hand: encodes and decodes the fields that an RPC needs, around a
// payload that is never touched.
//
// The bytes are a valid serialized distbench.GenericRequestResponse, as any peer expects. The
// message has exactly the size asked for, or that of the smallest legal head if that is larger:
//
//   head                                                               payload
//   [rpc_index] warmup [other fields] [trim] [tag of payload, length]  pattern bytes
//
// `warmup` is always explicit, and so is a request's rpc_index, 0 too; the smallest request is
// thus 4 bytes long, the smallest response 2. Fields are in the order of their numbers, as protobuf
// writes them. What the payload has to fill, its own tag and length included, are `rest` bytes:
//
//   rest       filled by
//   0          nothing
//   1          a value of `warmup` that is a byte longer than need be, which protobuf accepts
//   2          an empty payload: tag and length
//   n          tag, length, n - 1 - (length's length) bytes; where the length would grow by a byte
//              because of the byte that it grows by, `trim` (two bytes) comes first
//
// Nothing here allocates, but for a trace context or an error message that does not fit in place.
#ifndef DISTBENCH_PAYLOAD_GENERIC_MESSAGE_H_
#define DISTBENCH_PAYLOAD_GENERIC_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/payload/message.h"

namespace distbench {

// The fields of a request. An absent rpc_index means a replayed RPC.
struct RequestHead {
  std::optional<int32_t> rpc_index = {};
  bool warmup = false;
  std::optional<int64_t> response_payload_size = {};  // asked of the server, above its own config
  std::optional<int64_t> server_processing_time_ns = {};  // replay: how long the server waits
  std::optional<uint64_t> causal_key = {};                // see GenericRequestResponse
  // A serialized TraceContext; empty: not traced. Of the decoder: points into its `storage`.
  absl::string_view trace_context = {};
};

// The fields of a response.
struct ResponseHead {
  bool warmup = false;
  absl::string_view error_message = {};  // not empty: failed; decoder: points into `storage`
  std::optional<int32_t> server_instance = {};
};

// Room for an encoded head, to be reused by a pooled call. Holds any request without trace context
// and any response without error message in place; a longer head goes to the heap.
class HeadBuffer {
 public:
  // Encodes the head of a message of `size_bytes` (below zero counts as zero). The result points
  // into this buffer until the next call.
  OutgoingMessage EncodeRequest(const RequestHead& head, int64_t size_bytes);
  OutgoingMessage EncodeResponse(const ResponseHead& head, int64_t size_bytes);

  // A response with these bytes as its payload, all of it in the head of the result.
  OutgoingMessage EncodeEcho(const ResponseHead& head, absl::string_view payload);

 private:
  // Room for a head that needs at most `size` bytes.
  char* Room(size_t size);

  static constexpr size_t kInlineSize = 64;
  char inline_[kInlineSize];
  std::string overflow_;
};

// Whether the message is a response of the simplest form, which nearly all have: a success that
// says nothing but `warmup`. A response that is not may say the same in other words.
bool IsPlainSuccess(const ReceivedMessage& message);

// Read the fields and skip the payload. InvalidArgument if the bytes are no GenericRequestResponse.
// Fields in any order, unknown fields and fields split between fragments are all right; of a field
// that comes twice the last one counts.
//
// `storage` receives the bytes of the trace context, or of the error message, if any.
absl::StatusOr<RequestHead> DecodeRequest(const ReceivedMessage& message, std::string* storage);
absl::StatusOr<ResponseHead> DecodeResponse(const ReceivedMessage& message, std::string* storage);

// A copy of the payload. Requires: DecodeRequest accepts the message.
std::string CopyPayload(const ReceivedMessage& message);

// OK if the payload of `response` is that of `request`, byte for byte; else DATA_LOSS that says how
// they differ. Requires: DecodeResponse accepts the response.
absl::Status CheckEcho(const OutgoingMessage& request, const ReceivedMessage& response);

}  // namespace distbench

#endif  // DISTBENCH_PAYLOAD_GENERIC_MESSAGE_H_
