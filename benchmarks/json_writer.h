// JsonWriter: JSON text, written in order. Not thread-safe.
//
//   JsonWriter json;
//   json.BeginObject();
//   json.Key("name").Value("grpc");
//   json.Key("ratios").BeginArray();
//   json.Value(0.97);
//   json.EndArray();
//   json.EndObject();
//   ... json.text() ...
#ifndef BENCHMARKS_JSON_WRITER_H_
#define BENCHMARKS_JSON_WRITER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace distbench {

class JsonWriter {
 public:
  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  JsonWriter& Key(absl::string_view key);

  void Value(absl::string_view text);
  void Value(const char* text) { Value(absl::string_view(text)); }
  void Value(const std::string& text) { Value(absl::string_view(text)); }
  // What is no finite number becomes null, as JSON has no word for it.
  void Value(double number);
  void Value(bool truth);

  const std::string& text() const { return text_; }

 private:
  void Begin(char bracket);
  void End(char bracket);
  // A comma where the last thing written needs one.
  void Separate();
  void Quote(absl::string_view text);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace distbench

#endif  // BENCHMARKS_JSON_WRITER_H_
