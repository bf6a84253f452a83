#include "distbench/config/text_config.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "distbench/config/diagnostics.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace distbench {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// The format nests less than ten messages; beyond this is an attack on the stack.
constexpr int kMaxNesting = 64;

// `Message type "distbench.Action" has no field named "rpc_nam".`, taken apart.
struct UnknownTextField {
  const Descriptor* message = nullptr;
  std::string field;
};

UnknownTextField TakeApart(absl::string_view parser_message) {
  const std::vector<absl::string_view> parts = absl::StrSplit(parser_message, '"');
  if (parts.size() < 4 || parts[2] != " has no field named ") return {};
  return {.message = DescriptorPool::generated_pool()->FindMessageTypeByName(std::string(parts[1])),
          .field = std::string(parts[3])};
}

std::vector<std::string> FieldNames(const Descriptor& message) {
  std::vector<std::string> names;
  for (int i = 0; i < message.field_count(); ++i) names.push_back(message.field(i)->name());
  return names;
}

// The parser is told to let unknown fields pass, which makes them warnings; here they are errors.
class ErrorList final : public google::protobuf::io::ErrorCollector {
 public:
  explicit ErrorList(absl::string_view text) : lines_(absl::StrSplit(text, '\n')) {}

  void AddError(int line, int column, const std::string& message) override {
    errors_.push_back(
        {.line = std::max(line, 0) + 1, .column = std::max(column, 0) + 1, .message = message});
  }

  void AddWarning(int line, int column, const std::string& message) override {
    const UnknownTextField unknown = TakeApart(message);
    if (unknown.message == nullptr) {
      AddError(line, column, message);
      return;
    }
    AddError(line, StartOfName(line, column, unknown.field),
             absl::StrCat(unknown.message->name(), " has no field ", Quoted(unknown.field),
                          NearestNameHint(unknown.field, FieldNames(*unknown.message))));
  }

  TextErrors Take() { return std::move(errors_); }

 private:
  // The parser names the place behind an unknown field's name, and counts a tab as up to 8 columns.
  int StartOfName(int line, int column, const std::string& name) const {
    if (line < 0 || line >= static_cast<int>(lines_.size())) return column;
    const absl::string_view text = lines_[line];
    if (absl::StrContains(text, '\t')) return column;
    const size_t start = text.substr(0, column).rfind(name);
    return start == absl::string_view::npos ? column : static_cast<int>(start);
  }

  const std::vector<absl::string_view> lines_;
  TextErrors errors_;
};

using ParseInfo = google::protobuf::TextFormat::ParseInfoTree;

// Reading a map keeps the last of two equal keys; somebody meant both.
class DuplicateKeySearch {
 public:
  explicit DuplicateKeySearch(ErrorList& errors) : errors_(errors) {}

  // Requires: `message` was not touched since it was read from text, which leaves maps as lists.
  void Search(const Message& message, ParseInfo& places) {
    std::vector<const FieldDescriptor*> present;
    message.GetReflection()->ListFields(message, &present);
    for (const FieldDescriptor* field : present) {
      if (field->is_map()) {
        SearchMap(message, *field, places);
      } else if (field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        for (int i = 0; i < message.GetReflection()->FieldSize(message, field); ++i) {
          ParseInfo* below = places.GetTreeForNested(field, i);
          if (below == nullptr) continue;
          Search(message.GetReflection()->GetRepeatedMessage(message, field, i), *below);
        }
      }
    }
  }

 private:
  void SearchMap(const Message& message, const FieldDescriptor& map, const ParseInfo& places) {
    absl::flat_hash_set<std::string> keys;
    for (int i = 0; i < message.GetReflection()->FieldSize(message, &map); ++i) {
      const Message& entry = message.GetReflection()->GetRepeatedMessage(message, &map, i);
      const FieldDescriptor& key_field = *map.message_type()->map_key();
      const std::string key = entry.GetReflection()->GetString(entry, &key_field);
      if (keys.insert(key).second) continue;
      auto place = places.GetLocation(&map, i);
      if (place.line < 0) place = places.GetLocation(&map, 0);  // written as one list in brackets
      errors_.AddError(
          place.line, place.column,
          absl::StrCat(map.name(), " has the key ", Quoted(key), " already; remove one"));
    }
  }

  ErrorList& errors_;
};

}  // namespace

TextErrors ParseTextConfig(absl::string_view text, Message& message) {
  ParseInfo places;
  return ParseTextConfig(text, message, &places);
}

TextErrors ParseTextConfig(absl::string_view text, Message& message, ParseInfo* places) {
  ErrorList errors(text);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(kMaxNesting);
  google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
  parser.WriteLocationsTo(places);
  const bool parsed = parser.Parse(&input, &message);
  if (parsed) DuplicateKeySearch(errors).Search(message, *places);
  TextErrors found = errors.Take();
  if (!parsed && found.empty()) found.push_back({.message = "not a text config"});
  return found;
}

}  // namespace distbench
