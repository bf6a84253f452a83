#include "distbench/config/source_locator.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/field_path.h"
#include "distbench/config/text_config.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using ParseInfo = google::protobuf::TextFormat::ParseInfoTree;

constexpr int kSingular = -1;  // what ParseInfoTree calls the index of a field that is no list

// A message and where its fields are written.
struct Node {
  const Message* message = nullptr;
  const ParseInfo* places = nullptr;
};

int PositionOfKey(const Message& message, const FieldDescriptor& map, const std::string& key) {
  const FieldDescriptor* key_field = map.message_type()->FindFieldByName("key");
  for (int i = 0; i < message.GetReflection()->FieldSize(message, &map); ++i) {
    const Message& entry = message.GetReflection()->GetRepeatedMessage(message, &map, i);
    if (entry.GetReflection()->GetString(entry, key_field) == key) return i;
  }
  return 0;
}

// A path that names a list as a whole means its first element.
int PositionOf(const Node& node, const FieldDescriptor& field, const PathStep& step) {
  if (!field.is_repeated()) return kSingular;
  if (field.is_map()) return PositionOfKey(*node.message, field, step.key.value_or(""));
  int position = 0;
  const bool is_number = step.key.has_value() && absl::SimpleAtoi(*step.key, &position);
  return is_number && position > 0 ? position : 0;
}

// Of a list in brackets, only where it begins is known.
std::optional<SourcePosition> PlaceOf(const Node& node, const FieldDescriptor& field,
                                      int position) {
  const Reflection& reflection = *node.message->GetReflection();
  if (field.is_repeated() && position >= reflection.FieldSize(*node.message, &field)) {
    return std::nullopt;
  }
  auto place = node.places->GetLocation(&field, position);
  if (place.line < 0 && field.is_repeated()) place = node.places->GetLocation(&field, 0);
  if (place.line < 0) return std::nullopt;
  return SourcePosition{.line = place.line + 1, .column = place.column + 1};
}

// The message at that place; no message if the field is a value, or the text ends before.
Node Below(const Node& node, const FieldDescriptor& field, int position) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return {};
  const ParseInfo* places = node.places->GetTreeForNested(&field, position);
  if (places == nullptr) return {};
  const Reflection& reflection = *node.message->GetReflection();
  return {.message = position == kSingular
                         ? &reflection.GetMessage(*node.message, &field)
                         : &reflection.GetRepeatedMessage(*node.message, &field, position),
          .places = places};
}

std::optional<SourcePosition> LocateBelow(Node node, const std::vector<PathStep>& steps) {
  std::optional<SourcePosition> found;
  for (const PathStep& step : steps) {
    if (node.message == nullptr) break;
    const FieldDescriptor* field = node.message->GetDescriptor()->FindFieldByName(step.field);
    if (field == nullptr) break;
    const int position = PositionOf(node, *field, step);
    const std::optional<SourcePosition> place = PlaceOf(node, *field, position);
    if (!place.has_value()) break;
    found = place;
    node = Below(node, *field, position);
  }
  return found;
}

}  // namespace

struct SourceLocator::Source {
  TestSequence sequence;
  DistributedSystemDescription single_test;  // instead of `sequence`, if the text is one test
  bool is_single_test = false;
  ParseInfo places;  // of whichever it is
};

SourceLocator::SourceLocator(absl::string_view contents) {
  auto source = std::make_unique<Source>();
  if (!ParseTextConfig(contents, source->sequence, &source->places).empty()) {
    source = std::make_unique<Source>();
    source->is_single_test = true;
    if (!ParseTextConfig(contents, source->single_test, &source->places).empty()) return;
  }
  source_ = std::move(source);
}

SourceLocator::~SourceLocator() = default;

std::optional<SourcePosition> SourceLocator::Locate(const Diagnostic& diagnostic) const {
  if (source_ == nullptr) return std::nullopt;
  absl::StatusOr<FieldAssignment> path =
      ParseFieldAssignment(absl::StrCat(diagnostic.field_path, "="));
  if (!path.ok()) return std::nullopt;
  std::vector<PathStep>& steps = path->steps;
  const bool names_test = steps.front().field == "tests" && steps.front().key.has_value();
  if (source_->is_single_test) {
    if (names_test) steps.erase(steps.begin());
    return LocateBelow({.message = &source_->single_test, .places = &source_->places}, steps);
  }
  if (!names_test) {
    int position = 0;
    while (position < source_->sequence.tests_size() &&
           source_->sequence.tests(position).name() != diagnostic.test_name) {
      ++position;
    }
    steps.insert(steps.begin(), {.field = "tests", .key = absl::StrCat(position)});
  }
  return LocateBelow({.message = &source_->sequence, .places = &source_->places}, steps);
}

}  // namespace distbench
