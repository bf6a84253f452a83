#include "distbench/payload/generic_message.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int64_t kMinRequestSize = 4;   // rpc_index, warmup
constexpr int64_t kMinResponseSize = 2;  // warmup

std::string Materialize(const OutgoingMessage& message) {
  std::string bytes(message.head);
  ForEachPayloadPiece(message,
                      [&](absl::string_view piece) { bytes.append(piece.data(), piece.size()); });
  return bytes;
}

ReceivedMessage View(const std::vector<absl::string_view>& fragments) {
  int64_t size = 0;
  for (const absl::string_view fragment : fragments) size += static_cast<int64_t>(fragment.size());
  return {.fragments = fragments, .size = size};
}

absl::StatusOr<RequestHead> DecodeRequestBytes(const std::string& bytes) {
  const std::vector<absl::string_view> fragments = {bytes};
  std::string storage;
  return DecodeRequest(View(fragments), &storage);
}

GenericRequestResponse ParseAsProtobuf(const std::string& bytes) {
  GenericRequestResponse proto;
  EXPECT_TRUE(proto.ParseFromString(bytes));
  return proto;
}

// Sizes where something may change: all small ones, and the neighbours of each power of 128.
std::vector<int64_t> InterestingSizes() {
  std::vector<int64_t> sizes;
  for (int64_t size = 0; size <= 4096; ++size) sizes.push_back(size);
  for (int64_t power = 128; power <= int64_t{1} << 31; power *= 128) {
    for (int64_t size = power - 40; size <= power + 40; ++size) sizes.push_back(size);
  }
  for (int64_t size = (int64_t{1} << 31) - 40; size <= int64_t{1} << 31; ++size) {
    sizes.push_back(size);
  }
  return sizes;
}

constexpr int64_t kMaterializedSizeMax = 1 << 15;

TEST(HeadBufferTest, RequestHasExactlyTheSizeAskedFor) {
  HeadBuffer buffer;
  for (const int64_t size : InterestingSizes()) {
    const OutgoingMessage message = buffer.EncodeRequest({.rpc_index = 0}, size);
    ASSERT_EQ(message.size(), std::max(size, kMinRequestSize));
    ASSERT_GE(message.payload_size, 0);
  }
}

TEST(HeadBufferTest, ResponseHasExactlyTheSizeAskedFor) {
  HeadBuffer buffer;
  for (const int64_t size : InterestingSizes()) {
    ASSERT_EQ(buffer.EncodeResponse({}, size).size(), std::max(size, kMinResponseSize));
  }
}

TEST(HeadBufferTest, NegativeSizeCountsAsZero) {
  HeadBuffer buffer;
  EXPECT_EQ(buffer.EncodeRequest({.rpc_index = 1}, -7).size(), kMinRequestSize);
  EXPECT_EQ(buffer.EncodeResponse({}, std::numeric_limits<int64_t>::min()).size(),
            kMinResponseSize);
}

TEST(HeadBufferTest, ProtobufReadsEveryRequest) {
  HeadBuffer buffer;
  for (const int64_t size : InterestingSizes()) {
    if (size > kMaterializedSizeMax) continue;
    const bool warmup = size % 2 == 0;
    const std::string bytes =
        Materialize(buffer.EncodeRequest({.rpc_index = 5, .warmup = warmup}, size));
    const GenericRequestResponse proto = ParseAsProtobuf(bytes);
    ASSERT_TRUE(proto.has_rpc_index());
    ASSERT_EQ(proto.rpc_index(), 5);
    ASSERT_TRUE(proto.has_warmup());
    ASSERT_EQ(proto.warmup(), warmup);
    ASSERT_EQ(proto.unknown_fields().field_count(), 0);
    // One byte to fill is the one case that protobuf itself would not write.
    if (size != kMinRequestSize + 1) {
      ASSERT_EQ(proto.SerializeAsString(), bytes) << size;
    }
  }
}

TEST(HeadBufferTest, ProtobufReadsEveryResponse) {
  HeadBuffer buffer;
  for (const int64_t size : InterestingSizes()) {
    if (size > kMaterializedSizeMax) continue;
    const std::string bytes =
        Materialize(buffer.EncodeResponse({.warmup = true, .server_instance = 130}, size));
    const GenericRequestResponse proto = ParseAsProtobuf(bytes);
    ASSERT_TRUE(proto.warmup());
    ASSERT_FALSE(proto.has_rpc_index());
    ASSERT_FALSE(proto.has_error_message());
    ASSERT_EQ(proto.server_instance(), 130);
    if (size != kMinResponseSize + 3 + 1) {
      ASSERT_EQ(proto.SerializeAsString(), bytes) << size;
    }
  }
}

TEST(HeadBufferTest, AllRequestFieldsReachProtobuf) {
  HeadBuffer buffer;
  const RequestHead head = {.rpc_index = 300,
                            .warmup = true,
                            .response_payload_size = int64_t{1} << 40,
                            .server_processing_time_ns = -1};
  for (int64_t size = 0; size < 300; ++size) {
    const GenericRequestResponse proto =
        ParseAsProtobuf(Materialize(buffer.EncodeRequest(head, size)));
    ASSERT_EQ(proto.rpc_index(), 300);
    ASSERT_TRUE(proto.warmup());
    ASSERT_EQ(proto.response_payload_size(), int64_t{1} << 40);
    ASSERT_EQ(proto.server_processing_time_ns(), -1);
  }
}

TEST(HeadBufferTest, ReplayedRequestHasNoRpcIndex) {
  HeadBuffer buffer;
  const GenericRequestResponse proto = ParseAsProtobuf(Materialize(
      buffer.EncodeRequest({.response_payload_size = 9, .server_processing_time_ns = 0}, 100)));
  EXPECT_FALSE(proto.has_rpc_index());
  EXPECT_TRUE(proto.has_server_processing_time_ns());
  EXPECT_EQ(proto.response_payload_size(), 9);
}

TEST(HeadBufferTest, ErrorMessageOfAnyLengthFits) {
  HeadBuffer buffer;
  for (size_t length = 1; length < 300; ++length) {
    const std::string text(length, 'e');
    for (const int64_t size : {0, 150, 600}) {
      const OutgoingMessage message = buffer.EncodeResponse({.error_message = text}, size);
      ASSERT_GE(message.size(), size);
      const GenericRequestResponse proto = ParseAsProtobuf(Materialize(message));
      ASSERT_EQ(proto.error_message(), text);
      ASSERT_TRUE(proto.has_warmup());
    }
  }
}

TEST(DecodeRequestTest, ReadsBackWhatWasEncodedWhereverItIsSplit) {
  HeadBuffer buffer;
  const std::string trace(70, 't');
  const RequestHead head = {.rpc_index = 200,
                            .warmup = true,
                            .response_payload_size = 70000,
                            .server_processing_time_ns = 5,
                            .causal_key = 0x0123456789abcdef,
                            .trace_context = trace};
  const std::string bytes = Materialize(buffer.EncodeRequest(head, 200));
  for (size_t first = 0; first <= bytes.size(); ++first) {
    for (size_t second = first; second <= bytes.size(); second += 7) {
      const absl::string_view all = bytes;
      const std::vector<absl::string_view> fragments = {
          all.substr(0, first), all.substr(first, second - first), all.substr(second)};
      std::string storage = "left over";
      const auto decoded = DecodeRequest(View(fragments), &storage);
      ASSERT_TRUE(decoded.ok()) << decoded.status();
      ASSERT_EQ(decoded->rpc_index, 200);
      ASSERT_TRUE(decoded->warmup);
      ASSERT_EQ(decoded->response_payload_size, 70000);
      ASSERT_EQ(decoded->server_processing_time_ns, 5);
      ASSERT_EQ(decoded->causal_key, 0x0123456789abcdef);
      ASSERT_EQ(decoded->trace_context, trace);
    }
  }
}

TEST(DecodeRequestTest, ReadsEverySizeThatIsEncoded) {
  HeadBuffer buffer;
  for (const int64_t size : InterestingSizes()) {
    if (size > kMaterializedSizeMax) continue;
    const auto decoded =
        DecodeRequestBytes(Materialize(buffer.EncodeRequest({.rpc_index = 7}, size)));
    ASSERT_TRUE(decoded.ok()) << size << decoded.status();
    ASSERT_EQ(decoded->rpc_index, 7);
    ASSERT_FALSE(decoded->warmup);
  }
}

TEST(DecodeRequestTest, ReadsWhatProtobufWrites) {
  GenericRequestResponse proto;
  proto.set_rpc_index(-3);  // ten bytes long on the wire
  proto.mutable_trace_context()->add_engine_ids(4);
  proto.set_warmup(true);
  proto.set_response_payload_size(1);
  proto.set_causal_key(~uint64_t{0});
  proto.set_payload("payload");
  proto.set_after_payload32(1);
  proto.set_before_payload64(2);
  const std::string bytes = proto.SerializeAsString();
  const std::vector<absl::string_view> fragments = {bytes};
  std::string storage;
  const auto decoded = DecodeRequest(View(fragments), &storage);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->rpc_index, -3);
  EXPECT_EQ(decoded->trace_context, proto.trace_context().SerializeAsString());
  EXPECT_EQ(decoded->causal_key, ~uint64_t{0});
  EXPECT_TRUE(decoded->warmup);
  EXPECT_EQ(decoded->response_payload_size, 1);
  EXPECT_EQ(decoded->server_processing_time_ns, std::nullopt);
}

TEST(DecodeRequestTest, EmptyMessageHasNoFields) {
  std::string storage;
  const auto decoded = DecodeRequest(ReceivedMessage{}, &storage);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->rpc_index, std::nullopt);
}

TEST(DecodeRequestTest, SkipsUnknownFieldsAndWrongTypes) {
  // Field 1 as bytes, field 20 as varint, then the true rpc_index, twice: the last one counts.
  const auto decoded = DecodeRequestBytes("\x0a\x01x\xa0\x01\x05\x08\x01\x08\x02");
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->rpc_index, 2);
}

TEST(DecodeRequestTest, ErrorSaysWhatAndWhere) {
  const auto decoded = DecodeRequestBytes("\x08\x01\x7a\x05zz");
  EXPECT_EQ(decoded.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(decoded.status().message(),
            "not a GenericRequestResponse: a field is longer than what is left of the message "
            "(before byte 4)");
}

TEST(DecodeRequestTest, AcceptsWhatProtobufAcceptsOfRandomBytes) {
  std::mt19937_64 random(20260101);
  int accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string bytes(random() % 24, 0);
    // Small bytes make valid tags likely.
    for (char& c : bytes) c = static_cast<char>(random() % (i % 2 == 0 ? 256 : 48));
    const size_t split = bytes.empty() ? 0 : random() % bytes.size();
    const absl::string_view all = bytes;
    const std::vector<absl::string_view> fragments = {all.substr(0, split), all.substr(split)};
    std::string storage;
    const auto decoded = DecodeRequest(View(fragments), &storage);
    GenericRequestResponse proto;
    if (!proto.ParseFromString(bytes)) continue;
    ++accepted;
    ASSERT_TRUE(decoded.ok()) << i << decoded.status();
    ASSERT_EQ(decoded->rpc_index.value_or(0), proto.rpc_index());
    ASSERT_EQ(decoded->warmup, proto.warmup());
    ASSERT_EQ(decoded->response_payload_size.value_or(0), proto.response_payload_size());
    ASSERT_EQ(decoded->causal_key.value_or(0), proto.causal_key());
  }
  EXPECT_GT(accepted, 1000);
}

TEST(DecodeResponseTest, ReadsBackWhatWasEncodedWhereverItIsSplit) {
  HeadBuffer buffer;
  const std::string text = "rpc_index out of range: 7";
  const std::string bytes = Materialize(
      buffer.EncodeResponse({.warmup = true, .error_message = text, .server_instance = 3}, 200));
  for (size_t split = 0; split <= bytes.size(); ++split) {
    const absl::string_view all = bytes;
    const std::vector<absl::string_view> fragments = {all.substr(0, split), all.substr(split)};
    std::string storage = "left over";
    const auto decoded = DecodeResponse(View(fragments), &storage);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    ASSERT_EQ(decoded->error_message, text);
    ASSERT_TRUE(decoded->warmup);
    ASSERT_EQ(decoded->server_instance, 3);
  }
}

TEST(DecodeResponseTest, NoErrorMessageIsEmptyWhateverTheStorageHeld) {
  HeadBuffer buffer;
  const std::string bytes = Materialize(buffer.EncodeResponse({}, 20));
  const std::vector<absl::string_view> fragments = {bytes};
  std::string storage = "left over";
  const auto decoded = DecodeResponse(View(fragments), &storage);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->error_message, "");
  EXPECT_EQ(decoded->server_instance, std::nullopt);
}

// Bytes that look like a plain response, with any length in place of the right one.
TEST(DecodeResponseTest, AcceptsWhatProtobufAcceptsOfNearlyPlainResponses) {
  int accepted = 0;
  for (const int warmup : {0, 1, 2, 0x80}) {
    for (size_t size = 2; size < 200; ++size) {
      for (int length = 0; length < 256; length += length < 200 ? 1 : 7) {
        std::string bytes = {0x18, static_cast<char>(warmup), 0x7a, static_cast<char>(length)};
        bytes.resize(size);
        GenericRequestResponse proto;
        const bool is_valid = proto.ParsePartialFromString(bytes);
        std::string storage;
        const std::vector<absl::string_view> fragments = {bytes};
        const auto decoded = DecodeResponse(View(fragments), &storage);
        ASSERT_EQ(decoded.ok(), is_valid) << warmup << " " << size << " " << length;
        if (!is_valid) continue;
        ++accepted;
        ASSERT_EQ(decoded->warmup, proto.warmup());
      }
    }
  }
  EXPECT_GT(accepted, 4 * 100);
}

// --- Echoes

// The response that a server makes of a request's bytes.
std::string EchoOf(const std::string& request, const ResponseHead& head = {}) {
  const std::vector<absl::string_view> fragments = {request};
  HeadBuffer buffer;
  return Materialize(buffer.EncodeEcho(head, CopyPayload(View(fragments))));
}

TEST(EchoTest, ARequestOfAnySizeAndOffsetComesBackHoweverItIsSplit) {
  HeadBuffer buffer;
  for (const uint32_t offset : {0u, 77u, kPayloadOffsets - 1}) {
    for (const int64_t size : {0, 4, 5, 6, 7, 100, 133, 134, 5000, 1'500'000}) {
      OutgoingMessage request = buffer.EncodeRequest({.rpc_index = 3}, size);
      request.payload_offset = offset;
      const std::string bytes = EchoOf(Materialize(request), {.server_instance = 4});
      const GenericRequestResponse proto = ParseAsProtobuf(bytes);
      EXPECT_EQ(proto.server_instance(), 4);
      EXPECT_EQ(static_cast<int64_t>(proto.payload().size()), request.payload_size);
      const absl::string_view all = bytes;
      for (const size_t split : {size_t{0}, bytes.size() / 3, bytes.size()}) {
        const std::vector<absl::string_view> fragments = {all.substr(0, split), all.substr(split)};
        EXPECT_TRUE(CheckEcho(request, View(fragments)).ok()) << offset << " " << size;
      }
    }
  }
}

TEST(EchoTest, EveryByteCounts) {
  HeadBuffer buffer;
  OutgoingMessage request = buffer.EncodeRequest({.rpc_index = 3}, 200);
  request.payload_offset = 12345;
  const std::string echo = EchoOf(Materialize(request));
  const size_t head_size = echo.size() - static_cast<size_t>(request.payload_size);
  for (size_t i = head_size; i < echo.size(); ++i) {
    std::string bytes = echo;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    const std::vector<absl::string_view> fragments = {bytes};
    ASSERT_EQ(
        CheckEcho(request, View(fragments)),
        absl::DataLossError("the payload that the response echoes is not that of the request"));
  }
}

TEST(EchoTest, AnEchoOfAnotherLengthOrRequestIsNone) {
  HeadBuffer buffer;
  HeadBuffer other_buffer;
  OutgoingMessage request = buffer.EncodeRequest({.rpc_index = 3}, 200);
  request.payload_offset = 1;
  const std::string longer = EchoOf(Materialize(other_buffer.EncodeRequest({.rpc_index = 3}, 201)));
  const std::vector<absl::string_view> longer_pieces = {longer};
  EXPECT_EQ(CheckEcho(request, View(longer_pieces)),
            absl::DataLossError("the response echoes 194 bytes of payload; the request had 193"));
  const std::string another =
      EchoOf(Materialize(other_buffer.EncodeRequest({.rpc_index = 3}, 200)));
  const std::vector<absl::string_view> another_pieces = {another};
  EXPECT_FALSE(CheckEcho(request, View(another_pieces)).ok());
  EXPECT_FALSE(CheckEcho(request, ReceivedMessage{}).ok());
}

TEST(DecodeResponseTest, GarbageIsAnError) {
  const std::vector<absl::string_view> fragments = {"<html>not found</html>"};
  std::string storage;
  EXPECT_EQ(DecodeResponse(View(fragments), &storage).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace distbench
