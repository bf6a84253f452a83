#include "distbench/results/error_table.h"

namespace distbench {
namespace {

// At most kMaxTextBytes of `text`, and no part of a UTF-8 character.
absl::string_view Cut(absl::string_view text) {
  if (text.size() <= ErrorTable::kMaxTextBytes) return text;
  const auto continues_character = [](char c) { return (c & '\xC0') == '\x80'; };
  size_t end = ErrorTable::kMaxTextBytes;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace

uint16_t ErrorTable::Number(absl::string_view text) {
  text = text.empty() ? "unknown error" : Cut(text);
  if (const auto it = numbers_.find(text); it != numbers_.end()) return it->second;
  if (texts_.size() >= kMaxTexts) {
    if (texts_.size() == kMaxTexts) texts_.push_back("further errors");
    return kMaxTexts;
  }
  const uint16_t number = static_cast<uint16_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  return number;
}

}  // namespace distbench
