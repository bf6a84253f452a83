#include "distbench/driver/tcp/frame.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

constexpr absl::string_view kMagic = "distbench-tcp";
constexpr uint32_t kVersion = 2;
constexpr size_t kHelloBytes = kMagic.size() + 1 + sizeof(kVersion);
constexpr size_t kMaxErrorText = 8 << 10;
constexpr size_t kMaxErrorBytes = sizeof(uint32_t) + kMaxErrorText;

uint32_t LittleEndian(uint32_t value) {
  return std::endian::native == std::endian::little ? value : __builtin_bswap32(value);
}

void AppendNumber(uint32_t value, std::string* out) {
  const uint32_t bytes = LittleEndian(value);
  out->append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
}

// Requires: `in` has four bytes.
uint32_t ReadNumber(absl::string_view in) {
  uint32_t bytes;
  std::memcpy(&bytes, in.data(), sizeof(bytes));
  return LittleEndian(bytes);
}

// For bodies that are short by their type's bound.
std::string InOnePiece(const ReceivedMessage& body) {
  std::string bytes;
  for (absl::string_view fragment : body.fragments) bytes.append(fragment.data(), fragment.size());
  return bytes;
}

// Below zero: no such type.
int64_t MaxBodyBytes(FrameType type, int64_t max_message_bytes) {
  switch (type) {
    case FrameType::kHello:
      return kHelloBytes;
    case FrameType::kRequest:
    case FrameType::kResponse:
    case FrameType::kOneWay:
      return max_message_bytes;
    case FrameType::kError:
      return kMaxErrorBytes;
    case FrameType::kCancel:
    case FrameType::kCredit:
      return 0;
  }
  return -1;
}

}  // namespace

absl::Status CheckFrameHeader(const FrameHeader& header, int64_t max_message_bytes) {
  const int64_t max_bytes = MaxBodyBytes(header.type, max_message_bytes);
  if (max_bytes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame of type ", static_cast<int>(header.type), ", which does not exist"));
  }
  if (header.body_bytes > static_cast<uint64_t>(max_bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame of type ", static_cast<int>(header.type), " and ", header.body_bytes,
                     " bytes, of which ", max_bytes, " are allowed"));
  }
  return absl::OkStatus();
}

std::string EncodeHello(HelloRole speaker) {
  std::string body(kMagic);
  body.push_back(static_cast<char>(speaker));
  AppendNumber(kVersion, &body);
  return body;
}

absl::Status CheckHello(HelloRole speaker, const ReceivedMessage& body) {
  const std::string bytes = InOnePiece(body);
  const absl::string_view hello = bytes;
  if (hello.size() != kHelloBytes || hello.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", absl::CHexEscape(hello), "\" instead of a hello of ", kMagic));
  }
  if (hello[kMagic.size()] != static_cast<char>(speaker)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the hello of a ", speaker == HelloRole::kServer ? "client" : "server",
                     " where one of the other side was expected"));
  }
  const uint32_t version = ReadNumber(hello.substr(kMagic.size() + 1));
  if (version != kVersion) {
    return absl::InvalidArgumentError(absl::StrCat("a peer that speaks version ", version, " of ",
                                                   kMagic, ", not ", kVersion,
                                                   "; run the same distbench on all nodes"));
  }
  return absl::OkStatus();
}

std::string EncodeError(const absl::Status& status) {
  std::string body;
  AppendNumber(static_cast<uint32_t>(status.code()), &body);
  const absl::string_view text = status.message().substr(0, kMaxErrorText);
  body.append(text.data(), text.size());
  return body;
}

absl::Status DecodeError(const ReceivedMessage& body) {
  const std::string bytes = InOnePiece(body);
  if (bytes.size() < sizeof(uint32_t)) {
    return absl::InvalidArgumentError("an error frame without a status code");
  }
  const uint32_t code = ReadNumber(bytes);
  if (code == 0 || code > static_cast<uint32_t>(absl::StatusCode::kUnauthenticated)) {
    return absl::InvalidArgumentError(
        absl::StrCat("an error frame with status code ", code, ", which is no error"));
  }
  return absl::Status(static_cast<absl::StatusCode>(code), bytes.substr(sizeof(uint32_t)));
}

}  // namespace distbench
