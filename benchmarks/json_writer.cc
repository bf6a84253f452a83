#include "benchmarks/json_writer.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace distbench {

JsonWriter& JsonWriter::Key(absl::string_view key) {
  Separate();
  Quote(key);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

void JsonWriter::Value(absl::string_view text) {
  Separate();
  Quote(text);
  needs_comma_ = true;
}

void JsonWriter::Value(double number) {
  Separate();
  text_ += std::isfinite(number) ? absl::StrFormat("%.9g", number) : "null";
  needs_comma_ = true;
}

void JsonWriter::Value(bool truth) {
  Separate();
  text_ += truth ? "true" : "false";
  needs_comma_ = true;
}

void JsonWriter::Begin(char bracket) {
  Separate();
  text_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::End(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void JsonWriter::Separate() {
  if (needs_comma_) text_ += ",\n";
}

void JsonWriter::Quote(absl::string_view text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&text_, "\\u%04x", static_cast<int>(c));
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace distbench
