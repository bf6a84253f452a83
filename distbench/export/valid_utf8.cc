#include "distbench/export/valid_utf8.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"

namespace distbench {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

constexpr char kReplacement[] = "\xef\xbf\xbd";

// Characters by the number of their bytes: what the first byte looks like, and the least character
// that needs so many.
struct CharacterForm {
  uint8_t mask;
  uint8_t lead;
  uint32_t least;
};
constexpr CharacterForm kForms[] = {
    {0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

// Bytes of the character of this form that `text` begins with; 0 if there is none.
size_t BytesOfForm(absl::string_view text, size_t bytes) {
  const CharacterForm& form = kForms[bytes - 1];
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (text.size() < bytes || (byte(0) & form.mask) != form.lead) return 0;
  uint32_t character = byte(0) & static_cast<uint8_t>(~form.mask);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    character = (character << 6) | (byte(i) & 0x3f);
  }
  const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
  return character < form.least || character > 0x10ffff || is_surrogate ? 0 : bytes;
}

size_t CharacterBytes(absl::string_view text) {
  for (size_t bytes = 1; bytes <= std::size(kForms); ++bytes) {
    if (BytesOfForm(text, bytes) > 0) return bytes;
  }
  return 0;
}

void MakeStringsValid(const FieldDescriptor& field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  if (!field.is_repeated()) {
    reflection.SetString(message, &field, ValidUtf8(reflection.GetString(*message, &field)));
    return;
  }
  for (int i = 0; i < reflection.FieldSize(*message, &field); ++i) {
    reflection.SetRepeatedString(message, &field, i,
                                 ValidUtf8(reflection.GetRepeatedString(*message, &field, i)));
  }
}

void MakeMessagesValid(const FieldDescriptor& field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  if (!field.is_repeated()) {
    MakeValidUtf8(reflection.MutableMessage(message, &field));
    return;
  }
  for (int i = 0; i < reflection.FieldSize(*message, &field); ++i) {
    MakeValidUtf8(reflection.MutableRepeatedMessage(message, &field, i));
  }
}

}  // namespace

std::string ValidUtf8(absl::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    absl::StrAppend(&valid, bytes > 0 ? text.substr(0, bytes) : absl::string_view(kReplacement));
    text.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return valid;
}

void MakeValidUtf8(Message* message) {
  std::vector<const FieldDescriptor*> present;
  message->GetReflection()->ListFields(*message, &present);
  for (const FieldDescriptor* field : present) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) MakeStringsValid(*field, message);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) MakeMessagesValid(*field, message);
  }
}

}  // namespace distbench
