#include "distbench/driver/tcp/frame.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// A body in one piece, or cut in the middle.
struct Body {
  explicit Body(absl::string_view bytes) : size(static_cast<int64_t>(bytes.size())) {
    fragments = {bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2)};
  }
  ReceivedMessage message() const { return {.fragments = fragments, .size = size}; }

  std::vector<absl::string_view> fragments;
  int64_t size;
};

TEST(FrameHeaderTest, IsLittleEndianWithTheTypeInTheLastByteOfTheLength) {
  char bytes[kFrameHeaderBytes];
  EncodeFrameHeader({.type = FrameType::kCancel,
                     .body_bytes = 0x0102030405,
                     .id = {.slot = 0x11121314, .generation = 0x21222324}},
                    bytes);
  EXPECT_EQ(std::string(bytes, sizeof(bytes)),
            std::string("\x05\x04\x03\x02\x01\x00\x00\x05\x14\x13\x12\x11\x24\x23\x22\x21", 16));
}

TEST(FrameHeaderTest, DecodesWhatItEncodes) {
  const FrameHeader header = {.type = FrameType::kResponse,
                              .body_bytes = (uint64_t{1} << 56) - 1,
                              .id = {.slot = ~0u, .generation = 7}};
  char bytes[kFrameHeaderBytes];
  EncodeFrameHeader(header, bytes);
  const FrameHeader decoded = DecodeFrameHeader(bytes);
  EXPECT_EQ(decoded.type, header.type);
  EXPECT_EQ(decoded.body_bytes, header.body_bytes);
  EXPECT_EQ(decoded.id, header.id);
}

TEST(FrameHeaderTest, MessagesMayBeAsLongAsTheLimit) {
  for (const FrameType type : {FrameType::kRequest, FrameType::kResponse}) {
    EXPECT_TRUE(CheckFrameHeader({.type = type, .body_bytes = 0}, 1000).ok());
    EXPECT_TRUE(CheckFrameHeader({.type = type, .body_bytes = 1000}, 1000).ok());
    const absl::Status too_long = CheckFrameHeader({.type = type, .body_bytes = 1001}, 1000);
    EXPECT_EQ(too_long.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(too_long.message().find("1001"), std::string::npos) << too_long;
    EXPECT_NE(too_long.message().find("1000"), std::string::npos) << too_long;
  }
}

TEST(FrameHeaderTest, OtherFramesAreShortWhateverTheLimit) {
  EXPECT_FALSE(CheckFrameHeader({.type = FrameType::kHello, .body_bytes = 1000}, 1 << 30).ok());
  EXPECT_FALSE(CheckFrameHeader({.type = FrameType::kCancel, .body_bytes = 1}, 1 << 30).ok());
  EXPECT_FALSE(CheckFrameHeader({.type = FrameType::kError, .body_bytes = 1 << 20}, 1 << 30).ok());
}

TEST(FrameHeaderTest, TypesThatDoNotExistAreRefused) {
  for (int type = 0; type < 256; ++type) {
    const bool exists = type >= 1 && type <= 7;
    EXPECT_EQ(CheckFrameHeader({.type = static_cast<FrameType>(type)}, 1000).ok(), exists) << type;
  }
}

TEST(HelloTest, IsUnderstoodByTheOtherSideOnly) {
  for (const HelloRole role : {HelloRole::kClient, HelloRole::kServer}) {
    const std::string hello = EncodeHello(role);
    ASSERT_TRUE(CheckFrameHeader({.type = FrameType::kHello, .body_bytes = hello.size()}, 0).ok());
    const HelloRole other = role == HelloRole::kClient ? HelloRole::kServer : HelloRole::kClient;
    EXPECT_TRUE(CheckHello(role, Body(hello).message()).ok());
    EXPECT_FALSE(CheckHello(other, Body(hello).message()).ok());
  }
}

TEST(HelloTest, AnyOtherByteIsRefused) {
  const std::string hello = EncodeHello(HelloRole::kClient);
  for (size_t i = 0; i < hello.size(); ++i) {
    std::string changed = hello;
    changed[i] ^= 1;
    EXPECT_FALSE(CheckHello(HelloRole::kClient, Body(changed).message()).ok()) << i;
    EXPECT_FALSE(CheckHello(HelloRole::kClient, Body(hello.substr(0, i)).message()).ok()) << i;
  }
}

TEST(HelloTest, AnotherVersionIsNamed) {
  std::string hello = EncodeHello(HelloRole::kClient);
  hello[hello.size() - 4] = 9;
  const absl::Status status = CheckHello(HelloRole::kClient, Body(hello).message());
  EXPECT_NE(status.message().find("version 9"), std::string::npos) << status;
}

TEST(ErrorTest, CarriesCodeAndText) {
  const absl::Status error = absl::NotFoundError("no such thing");
  EXPECT_EQ(DecodeError(Body(EncodeError(error)).message()), error);
  EXPECT_EQ(DecodeError(Body(EncodeError(absl::AbortedError(""))).message()),
            absl::AbortedError(""));
}

TEST(ErrorTest, LongTextIsCutToWhatAFrameMayHold) {
  const std::string error = EncodeError(absl::InternalError(std::string(1 << 20, 'x')));
  EXPECT_TRUE(CheckFrameHeader({.type = FrameType::kError, .body_bytes = error.size()}, 0).ok());
  EXPECT_EQ(DecodeError(Body(error).message()).code(), absl::StatusCode::kInternal);
}

TEST(ErrorTest, BodyThatIsNoErrorIsOneAllTheSame) {
  for (const std::string& body : {std::string(), std::string("abc"), std::string(4, '\0'),
                                  std::string("\xff\xff\xff\xff text")}) {
    EXPECT_EQ(DecodeError(Body(body).message()).code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace distbench
