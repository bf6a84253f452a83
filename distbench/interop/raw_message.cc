#include "distbench/interop/raw_message.h"

#include "distbench/interop/public_format.h"

namespace distbench {

int RawMessage::NumberOf(const std::string& field) {
  return PublicFormat::Get().FieldNumber("GenericRequestResponse", field);
}

RawMessage& RawMessage::Varint(const std::string& field, uint64_t value) {
  return UnknownVarint(NumberOf(field), value);
}

RawMessage& RawMessage::Bytes(const std::string& field, const std::string& value) {
  return UnknownBytes(NumberOf(field), value);
}

RawMessage& RawMessage::Fixed32(const std::string& field, uint32_t value) {
  Tag(NumberOf(field), WireType::kFixed32);
  AppendFixed(value, 4);
  return *this;
}

RawMessage& RawMessage::Fixed64(const std::string& field, uint64_t value) {
  Tag(NumberOf(field), WireType::kFixed64);
  AppendFixed(value, 8);
  return *this;
}

RawMessage& RawMessage::UnknownVarint(int number, uint64_t value) {
  Tag(number, WireType::kVarint);
  AppendVarint(value);
  return *this;
}

RawMessage& RawMessage::UnknownBytes(int number, const std::string& value) {
  Tag(number, WireType::kBytes);
  AppendVarint(value.size());
  bytes_ += value;
  return *this;
}

void RawMessage::Tag(int number, WireType type) {
  AppendVarint(static_cast<uint64_t>(number) << 3 | static_cast<uint64_t>(type));
}

void RawMessage::AppendVarint(uint64_t value) {
  for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<char>(value | 128));
  bytes_.push_back(static_cast<char>(value));
}

void RawMessage::AppendFixed(uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
}

}  // namespace distbench
