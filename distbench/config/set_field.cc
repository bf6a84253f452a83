// SetField: one field of a sequence, by path. Every step picks a message below the last one by
// reflection; the last step names the field that gets the value.
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/field_path.h"
#include "distbench/config/parser.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

absl::Status BadStep(const std::string& path, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", problem));
}

std::string Join(const std::string& path, const PathStep& step) {
  return absl::StrCat(path, path.empty() ? "" : ".", step.ToString());
}

absl::StatusOr<const FieldDescriptor*> FindField(const Descriptor& message, const PathStep& step,
                                                 const std::string& path) {
  const FieldDescriptor* field = message.FindFieldByName(step.field);
  if (field == nullptr) {
    std::vector<std::string> known;
    for (int i = 0; i < message.field_count(); ++i) known.push_back(message.field(i)->name());
    return BadStep(path, absl::StrCat(message.name(), " has no field ", Quoted(step.field),
                                      NearestNameHint(step.field, known)));
  }
  if (step.key.has_value() && !field->is_repeated()) {
    return BadStep(path,
                   absl::StrCat(Quoted(step.field), " is no list; leave out [", *step.key, "]"));
  }
  return field;
}

// --- Values

// Keeps what the parser says of a value; the place in it says nothing.
class LastError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string& message) override { message_ = message; }
  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

// Sets a singular field, or appends to a list. Text is taken as it stands, without quotes.
absl::Status StoreValue(const FieldDescriptor& field, const std::string& value,
                        const std::string& path, Message& message) {
  const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  if (is_message && (value.empty() || value[0] != '{')) {
    return BadStep(path, absl::StrCat("is a ", field.message_type()->name(),
                                      "; set one of its fields, or {all of them}"));
  }
  const bool is_text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  LastError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (!field.is_repeated()) message.GetReflection()->ClearField(&message, &field);
  const std::string text = is_text ? absl::StrCat("\"", absl::CEscape(value), "\"") : value;
  if (parser.ParseFieldValueFromString(text, &field, &message)) return absl::OkStatus();
  return BadStep(path, absl::StrCat("cannot be ", Quoted(value), ": ",
                                    error.message().empty() ? "the value goes on after its end"
                                                            : error.message()));
}

// --- Elements of lists and maps

const FieldDescriptor* FieldOfText(const Descriptor& message, const char* name) {
  const FieldDescriptor* field = message.FindFieldByName(name);
  const bool is_text = field != nullptr && !field->is_repeated() &&
                       field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  return is_text ? field : nullptr;
}

// A map's entries are elements by their key, other messages by their name.
const FieldDescriptor* KeyField(const FieldDescriptor& list) {
  if (list.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return nullptr;
  return FieldOfText(*list.message_type(), list.is_map() ? "key" : "name");
}

absl::StatusOr<int> FindByKey(const Message& message, const FieldDescriptor& list,
                              const std::string& key, const std::string& path) {
  const FieldDescriptor* key_field = KeyField(list);
  if (key_field == nullptr) return BadStep(path, "elements have no names; give a number");
  std::vector<std::string> known;
  for (int i = 0; i < message.GetReflection()->FieldSize(message, &list); ++i) {
    const Message& element = message.GetReflection()->GetRepeatedMessage(message, &list, i);
    known.push_back(element.GetReflection()->GetString(element, key_field));
    if (known.back() == key) return i;
  }
  return absl::NotFoundError(
      absl::StrCat(path, ": there is no ", Quoted(key), NearestNameHint(key, known)));
}

// Position of the element that the step means. A list of values may grow by one.
absl::StatusOr<int> FindElement(const Message& message, const FieldDescriptor& list,
                                const PathStep& step, const std::string& path) {
  const int size = message.GetReflection()->FieldSize(message, &list);
  const bool may_grow = list.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE;
  if (!step.key.has_value()) {
    if (size == 1) return 0;
    if (size == 0 && may_grow) return 0;
    return BadStep(path, size == 0 ? "is an empty list"
                                   : absl::StrCat("has ", size, " elements; say which, as ",
                                                  step.field, "[0]"));
  }
  int position = 0;
  if (list.is_map() || !absl::SimpleAtoi(*step.key, &position)) {
    return FindByKey(message, list, *step.key, path);
  }
  if (position < 0 || position >= size + (may_grow ? 1 : 0)) {
    return BadStep(path, absl::StrCat("the list has ", size, " elements, counted from 0"));
  }
  return position;
}

absl::StatusOr<Message*> MapEntry(const FieldDescriptor& map, const PathStep& step,
                                  const std::string& path, Message& message) {
  if (!step.key.has_value())
    return BadStep(path, absl::StrCat("needs a key, as ", step.field, "[key]"));
  const Reflection& reflection = *message.GetReflection();
  const absl::StatusOr<int> position = FindByKey(message, map, *step.key, path);
  if (position.ok()) return reflection.MutableRepeatedMessage(&message, &map, *position);
  Message* entry = reflection.AddMessage(&message, &map);
  entry->GetReflection()->SetString(entry, KeyField(map), *step.key);
  return entry;
}

absl::Status StoreElement(const FieldDescriptor& list, const PathStep& step,
                          const std::string& value, const std::string& path, Message& message) {
  ASSIGN_OR_RETURN(const int position, FindElement(message, list, step, path));
  RETURN_IF_ERROR(StoreValue(list, value, path, message));  // appends
  const Reflection& reflection = *message.GetReflection();
  const int last = reflection.FieldSize(message, &list) - 1;
  if (position == last) return absl::OkStatus();
  reflection.SwapElements(&message, &list, position, last);
  reflection.RemoveLast(&message, &list);
  return absl::OkStatus();
}

// --- The walk

absl::StatusOr<Message*> Descend(const FieldDescriptor& field, const PathStep& step,
                                 const std::string& path, Message& message) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    return BadStep(path, "is a value and has no fields");
  }
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) return reflection.MutableMessage(&message, &field);
  ASSIGN_OR_RETURN(const int position, FindElement(message, field, step, path));
  return reflection.MutableRepeatedMessage(&message, &field, position);
}

absl::Status Assign(absl::Span<const PathStep> steps, const std::string& value,
                    const std::string& parent_path, Message& message) {
  const PathStep& step = steps.front();
  const std::string path = Join(parent_path, step);
  ASSIGN_OR_RETURN(const FieldDescriptor* field, FindField(*message.GetDescriptor(), step, path));
  const bool is_last = steps.size() == 1;
  if (field->is_map()) {
    ASSIGN_OR_RETURN(Message * entry, MapEntry(*field, step, path, message));
    const FieldDescriptor& value_field = *entry->GetDescriptor()->FindFieldByName("value");
    if (is_last) return StoreValue(value_field, value, path, *entry);
    ASSIGN_OR_RETURN(Message * below, Descend(value_field, step, path, *entry));
    return Assign(steps.subspan(1), value, path, *below);
  }
  if (is_last) {
    return field->is_repeated() ? StoreElement(*field, step, value, path, message)
                                : StoreValue(*field, value, path, message);
  }
  ASSIGN_OR_RETURN(Message * below, Descend(*field, step, path, message));
  return Assign(steps.subspan(1), value, path, *below);
}

absl::Status AssignInEveryTest(const FieldAssignment& assignment, TestSequence& sequence) {
  if (sequence.tests().empty()) {
    return BadStep(assignment.steps.front().ToString(), "there is no test to set it in");
  }
  for (int i = 0; i < sequence.tests_size(); ++i) {
    RETURN_IF_ERROR(Assign(assignment.steps, assignment.value, absl::StrCat("tests[", i, "]"),
                           *sequence.mutable_tests(i)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SetField(absl::string_view path_and_value, TestSequence* sequence) {
  ASSIGN_OR_RETURN(const FieldAssignment assignment, ParseFieldAssignment(path_and_value));
  TestSequence changed = *sequence;  // so that an error changes nothing
  const std::string& first = assignment.steps.front().field;
  const bool is_absolute = changed.GetDescriptor()->FindFieldByName(first) != nullptr;
  RETURN_IF_ERROR(is_absolute ? Assign(assignment.steps, assignment.value, "", changed)
                              : AssignInEveryTest(assignment, changed));
  *sequence = std::move(changed);
  return absl::OkStatus();
}

}  // namespace distbench
