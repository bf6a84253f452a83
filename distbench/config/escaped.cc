// Text from outside, made fit for one line of a terminal or log.
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr size_t kMaxShownBytes = 200;

bool IsContinuation(char byte) { return (byte & 0xC0) == 0x80; }

// Bytes of the UTF-8 character that `text` begins with, by its first byte; 0 if there is none.
// Overlong forms and surrogates pass: a terminal survives them.
size_t CharacterBytes(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t bytes = first < 0x80   ? 1
                       : first < 0xC2 ? 0
                       : first < 0xE0 ? 2
                       : first < 0xF0 ? 3
                       : first < 0xF5 ? 4
                                      : 0;
  if (bytes > text.size()) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  return bytes;
}

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

std::string Escaped(absl::string_view value) {
  size_t shown_bytes = value.size();
  if (value.size() > kMaxShownBytes) {
    shown_bytes = kMaxShownBytes;
    // Not in the middle of a character, if there are characters at all.
    while (shown_bytes > kMaxShownBytes - 4 && IsContinuation(value[shown_bytes])) --shown_bytes;
  }
  const absl::string_view shown = value.substr(0, shown_bytes);
  const std::string escaped = IsUtf8(shown) ? absl::Utf8SafeCEscape(shown) : absl::CEscape(shown);
  return absl::StrCat(escaped, shown_bytes < value.size() ? "..." : "");
}

std::string Quoted(absl::string_view value) { return absl::StrCat("'", Escaped(value), "'"); }

}  // namespace distbench
