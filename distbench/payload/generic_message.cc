#include "distbench/payload/generic_message.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/payload/wire_reader.h"

namespace distbench {
namespace {

// Field numbers of distbench.GenericRequestResponse.
enum FieldNumber : uint32_t {
  kRpcIndex = 1,
  kTraceContext = 2,
  kWarmup = 3,
  kResponsePayloadSize = 4,
  kServerProcessingTimeNs = 5,
  kCausalKey = 6,
  kErrorMessage = 9,
  kServerInstance = 10,
  kTrim = 14,
  kPayload = 15,
};

// All these fields have numbers below 16, so that a tag is one byte.
constexpr int64_t kTagSize = 1;
constexpr int64_t kBoolSize = kTagSize + 1;
constexpr int64_t kMaxVarintSize = 10;
constexpr int64_t kMaxVarintFieldSize = kTagSize + kMaxVarintSize;
constexpr int64_t kMaxFillHeadSize = kBoolSize + kMaxVarintFieldSize;
constexpr int64_t kFixed64FieldSize = kTagSize + 8;
// Without the trace context of the one and the error message of the other.
constexpr int64_t kMaxRequestHeadSize =
    3 * kMaxVarintFieldSize + kBoolSize + kFixed64FieldSize + kMaxFillHeadSize;
constexpr int64_t kMaxResponseHeadSize = kMaxVarintFieldSize + kBoolSize + kMaxFillHeadSize;

constexpr uint8_t TagByte(FieldNumber number, WireType type) {
  return static_cast<uint8_t>(number << 3 | static_cast<uint32_t>(type));
}

// Seven bits a byte.
int64_t VarintSize(uint64_t value) { return (std::bit_width(value | 1) + 6) / 7; }

// Integers travel sign-extended to 64 bits.
int64_t IntFieldSize(const std::optional<int64_t>& value) {
  return value ? kTagSize + VarintSize(static_cast<uint64_t>(*value)) : 0;
}

int64_t StringFieldSize(absl::string_view value) {
  if (value.empty()) return 0;
  return kTagSize + VarintSize(value.size()) + static_cast<int64_t>(value.size());
}

// How a message is brought to its size; see the header.
struct Fill {
  bool long_warmup = false;
  bool trim = false;
  bool has_payload = false;
  int64_t payload_size = 0;
};

// The size of the payload that takes `bytes` together with its tag and length. None where a length
// prefix that is one byte longer skips that size: 130, 16387, ...
std::optional<int64_t> PayloadIn(int64_t bytes) {
  for (int64_t prefix_size = 1; prefix_size <= kMaxVarintSize; ++prefix_size) {
    const int64_t payload_size = bytes - kTagSize - prefix_size;
    if (payload_size < 0) break;
    if (VarintSize(static_cast<uint64_t>(payload_size)) == prefix_size) return payload_size;
  }
  return std::nullopt;
}

Fill PlanFill(int64_t rest) {
  if (rest <= 0) return {};
  if (rest == 1) return {.long_warmup = true};
  if (const auto payload_size = PayloadIn(rest)) {
    return {.has_payload = true, .payload_size = *payload_size};
  }
  return {.trim = true, .has_payload = true, .payload_size = *PayloadIn(rest - kBoolSize)};
}

// Appends encoded fields to memory that is known to be large enough.
class FieldWriter {
 public:
  explicit FieldWriter(char* out) : begin_(out), next_(out) {}

  void Int(FieldNumber number, const std::optional<int64_t>& value) {
    if (!value) return;
    Tag(number, WireType::kVarint);
    Varint(static_cast<uint64_t>(*value));
  }
  void Bool(FieldNumber number, bool value) {
    Tag(number, WireType::kVarint);
    *next_++ = value ? 1 : 0;
  }
  // A bool whose value takes two bytes, of which the second adds nothing.
  void LongBool(FieldNumber number, bool value) {
    Tag(number, WireType::kVarint);
    *next_++ = static_cast<char>(value ? 0x81 : 0x80);
    *next_++ = 0;
  }
  void String(FieldNumber number, absl::string_view value) {
    if (!value.empty()) Bytes(number, value);
  }
  void Bytes(FieldNumber number, absl::string_view value) {
    Tag(number, WireType::kLengthDelimited);
    Varint(value.size());
    if (!value.empty()) std::memcpy(next_, value.data(), value.size());
    next_ += value.size();
  }
  void Fixed64(FieldNumber number, const std::optional<uint64_t>& value) {
    if (!value) return;
    Tag(number, WireType::kFixed64);
    for (int shift = 0; shift < 64; shift += 8) *next_++ = static_cast<char>(*value >> shift);
  }
  void Warmup(bool value, const Fill& fill) {
    fill.long_warmup ? LongBool(kWarmup, value) : Bool(kWarmup, value);
  }
  OutgoingMessage Finish(const Fill& fill) {
    if (fill.trim) Bool(kTrim, true);
    if (fill.has_payload) {
      Tag(kPayload, WireType::kLengthDelimited);
      Varint(static_cast<uint64_t>(fill.payload_size));
    }
    return {.head = {begin_, static_cast<size_t>(next_ - begin_)},
            .payload_size = fill.payload_size};
  }

 private:
  void Tag(FieldNumber number, WireType type) {
    *next_++ = static_cast<char>(TagByte(number, type));
  }
  void Varint(uint64_t value) {
    while (value >= 0x80) {
      *next_++ = static_cast<char>(value | 0x80);
      value >>= 7;
    }
    *next_++ = static_cast<char>(value);
  }

  char* const begin_;
  char* next_;
};

// What nearly every message is: `warmup`, then nothing, or a payload that is the rest of the
// message; before that a request has an rpc_index below 128. Readers of these know at a glance;
// anything else is for one that knows all fields.
//
// Whether that is so from byte `start` of the message on.
bool IsPlainFrom(size_t start, const ReceivedMessage& message) {
  if (message.fragments.empty()) return false;
  const absl::string_view first = message.fragments.front();
  if (first.size() < start + kBoolSize) return false;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(first.data()) + start;
  const size_t known = first.size() - start;
  const int64_t size = message.size - static_cast<int64_t>(start);
  if (bytes[0] != TagByte(kWarmup, WireType::kVarint) || bytes[1] > 1) return false;
  if (size == kBoolSize) return true;
  if (known < 4 || bytes[2] != TagByte(kPayload, WireType::kLengthDelimited)) return false;
  if (bytes[3] < 0x80) return size == 4 + int64_t{bytes[3]};
  // Of up to four bytes, like that of all payloads below 256 MiB.
  uint32_t payload_size = 0;
  for (size_t i = 0; i < 4 && i + 3 < known; ++i) {
    payload_size |= uint32_t{bytes[i + 3] & 0x7fu} << (7 * i);
    if (bytes[i + 3] < 0x80) return size == static_cast<int64_t>(i + 4) + payload_size;
  }
  return false;
}

// Of a message that is plain from there on.
bool WarmupAt(size_t start, const ReceivedMessage& message) {
  return message.fragments.front()[start + 1] != 0;
}

std::optional<RequestHead> PlainRequest(const ReceivedMessage& message) {
  if (message.fragments.empty() || message.fragments.front().size() < 2) return std::nullopt;
  const absl::string_view bytes = message.fragments.front();
  const uint8_t rpc_index = static_cast<uint8_t>(bytes[1]);
  const bool has_index = static_cast<uint8_t>(bytes[0]) == TagByte(kRpcIndex, WireType::kVarint);
  if (!has_index || rpc_index >= 0x80) return std::nullopt;
  if (!IsPlainFrom(2, message)) return std::nullopt;
  return RequestHead{.rpc_index = rpc_index, .warmup = WarmupAt(2, message)};
}

absl::Status NotAMessage(const WireReader& reader) {
  return absl::InvalidArgumentError(absl::StrCat("not a GenericRequestResponse: ", reader.error(),
                                                 " (before byte ", reader.error_offset(), ")"));
}

}  // namespace

char* HeadBuffer::Room(size_t size) {
  if (size <= kInlineSize) return inline_;
  overflow_.resize(size);
  return overflow_.data();
}

OutgoingMessage HeadBuffer::EncodeRequest(const RequestHead& head, int64_t size_bytes) {
  static_assert(kMaxRequestHeadSize <= int64_t{kInlineSize});
  const int64_t trace_size = StringFieldSize(head.trace_context);
  const int64_t fields_size = IntFieldSize(head.rpc_index) + trace_size + kBoolSize +
                              IntFieldSize(head.response_payload_size) +
                              IntFieldSize(head.server_processing_time_ns) +
                              (head.causal_key ? kFixed64FieldSize : 0);
  const Fill fill = PlanFill(std::max<int64_t>(size_bytes, 0) - fields_size);
  FieldWriter writer(Room(static_cast<size_t>(kMaxRequestHeadSize + trace_size)));
  writer.Int(kRpcIndex, head.rpc_index);
  writer.String(kTraceContext, head.trace_context);
  writer.Warmup(head.warmup, fill);
  writer.Int(kResponsePayloadSize, head.response_payload_size);
  writer.Int(kServerProcessingTimeNs, head.server_processing_time_ns);
  writer.Fixed64(kCausalKey, head.causal_key);
  return writer.Finish(fill);
}

OutgoingMessage HeadBuffer::EncodeResponse(const ResponseHead& head, int64_t size_bytes) {
  static_assert(kMaxResponseHeadSize <= int64_t{kInlineSize});
  const int64_t error_size = StringFieldSize(head.error_message);
  const int64_t fields_size = kBoolSize + error_size + IntFieldSize(head.server_instance);
  const Fill fill = PlanFill(std::max<int64_t>(size_bytes, 0) - fields_size);
  FieldWriter writer(Room(static_cast<size_t>(kMaxResponseHeadSize + error_size)));
  writer.Warmup(head.warmup, fill);
  writer.String(kErrorMessage, head.error_message);
  writer.Int(kServerInstance, head.server_instance);
  return writer.Finish(fill);
}

OutgoingMessage HeadBuffer::EncodeEcho(const ResponseHead& head, absl::string_view payload) {
  const Fill fill = {.has_payload = true, .payload_size = static_cast<int64_t>(payload.size())};
  const size_t fields_size =
      static_cast<size_t>(kMaxResponseHeadSize + StringFieldSize(head.error_message));
  FieldWriter writer(Room(fields_size + payload.size()));
  writer.Warmup(head.warmup, fill);
  writer.String(kErrorMessage, head.error_message);
  writer.Int(kServerInstance, head.server_instance);
  writer.Bytes(kPayload, payload);
  return writer.Finish({});
}

absl::StatusOr<RequestHead> DecodeRequest(const ReceivedMessage& message, std::string* storage) {
  if (const std::optional<RequestHead> plain = PlainRequest(message)) return *plain;
  RequestHead head;
  WireReader reader(message);
  while (reader.NextField()) {
    if (reader.field_is(kRpcIndex, WireType::kVarint)) {
      head.rpc_index = static_cast<int32_t>(reader.ReadVarint());
    } else if (reader.field_is(kWarmup, WireType::kVarint)) {
      head.warmup = reader.ReadVarint() != 0;
    } else if (reader.field_is(kResponsePayloadSize, WireType::kVarint)) {
      head.response_payload_size = static_cast<int64_t>(reader.ReadVarint());
    } else if (reader.field_is(kServerProcessingTimeNs, WireType::kVarint)) {
      head.server_processing_time_ns = static_cast<int64_t>(reader.ReadVarint());
    } else if (reader.field_is(kCausalKey, WireType::kFixed64)) {
      head.causal_key = reader.ReadFixed64();
    } else if (reader.field_is(kTraceContext, WireType::kLengthDelimited)) {
      reader.ReadBytes(storage);
      head.trace_context = *storage;
    } else {
      reader.SkipValue();
    }
  }
  if (!reader.ok()) return NotAMessage(reader);
  return head;
}

bool IsPlainSuccess(const ReceivedMessage& message) { return IsPlainFrom(0, message); }

absl::StatusOr<ResponseHead> DecodeResponse(const ReceivedMessage& message, std::string* storage) {
  if (IsPlainSuccess(message)) return ResponseHead{.warmup = WarmupAt(0, message)};
  ResponseHead head;
  WireReader reader(message);
  while (reader.NextField()) {
    if (reader.field_is(kWarmup, WireType::kVarint)) {
      head.warmup = reader.ReadVarint() != 0;
    } else if (reader.field_is(kErrorMessage, WireType::kLengthDelimited)) {
      reader.ReadBytes(storage);
      head.error_message = *storage;
    } else if (reader.field_is(kServerInstance, WireType::kVarint)) {
      head.server_instance = static_cast<int32_t>(reader.ReadVarint());
    } else {
      reader.SkipValue();
    }
  }
  if (!reader.ok()) return NotAMessage(reader);
  return head;
}

std::string CopyPayload(const ReceivedMessage& message) {
  std::string payload;
  WireReader reader(message);
  while (reader.NextField()) {
    if (reader.field_is(kPayload, WireType::kLengthDelimited)) {
      reader.ReadBytes(&payload);
    } else {
      reader.SkipValue();
    }
  }
  return payload;
}

absl::Status CheckEcho(const OutgoingMessage& request, const ReceivedMessage& response) {
  const size_t pattern_size = kPayloadPatternSize;
  const absl::string_view pattern = PayloadPattern();
  int64_t size = 0;
  bool is_equal = true;
  WireReader reader(response);
  while (reader.NextField()) {
    if (!reader.field_is(kPayload, WireType::kLengthDelimited)) {
      reader.SkipValue();
      continue;
    }
    size = 0;
    is_equal = true;
    size_t at = request.payload_offset;
    reader.ReadPieces([&](absl::string_view piece) {
      size += static_cast<int64_t>(piece.size());
      while (!piece.empty()) {
        const size_t here = std::min(piece.size(), pattern_size - at);
        is_equal = is_equal && piece.substr(0, here) == pattern.substr(at, here);
        piece.remove_prefix(here);
        at = (at + here) % pattern_size;
      }
    });
  }
  if (size != request.payload_size) {
    return absl::DataLossError(absl::StrCat(
        "the response echoes ", size, " bytes of payload; the request had ", request.payload_size));
  }
  if (is_equal) return absl::OkStatus();
  return absl::DataLossError("the payload that the response echoes is not that of the request");
}

}  // namespace distbench
