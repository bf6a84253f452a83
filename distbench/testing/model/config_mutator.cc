#include "distbench/testing/model/config_mutator.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/descriptor.h"

namespace distbench::model {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::vector<std::string> WordsOf(const std::string& text) {
  return absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
}

bool IsValue(const std::string& word) {
  return word[0] == '"' || absl::ascii_isdigit(static_cast<unsigned char>(word[0]));
}

// One may be within the other.
void Replace(const Message& source, Message* target) {
  const std::unique_ptr<Message> copy(source.New());
  copy->CopyFrom(source);
  target->CopyFrom(*copy);
}

}  // namespace

const char* ConfigMutator::StrangeValue() {
  return dice_.Pick<const char*>({"0",
                                  "-1",
                                  "1",
                                  "2",
                                  "3",
                                  "7",
                                  "0.5",
                                  "2147483647",
                                  "-9223372036854775808",
                                  "1e308",
                                  "nan",
                                  "\"\"",
                                  "\"client\"",
                                  "\"grid\"",
                                  "\"load\"",
                                  "\"ask\"",
                                  "\"near\"",
                                  "\"p\"",
                                  "\"!p\"",
                                  "\"pause\"",
                                  "\"a\\nb\\377/\"",
                                  "{ }",
                                  "}",
                                  "true",
                                  "EQUAL",
                                  "\"stochastic{1:2}\"",
                                  "\"ring_x\"",
                                  "\"same_yz\"",
                                  "\"linear_z{-1}\"",
                                  "\"exponential\"",
                                  "predicates: \"p\""});
}

std::string& ConfigMutator::AnyValue(std::vector<std::string>& words) {
  while (true) {
    std::string& word = words[dice_.Below(words.size())];
    if (IsValue(word)) return word;
  }
}

std::string ConfigMutator::EditValues(const std::string& text) {
  std::vector<std::string> words = WordsOf(text);
  for (int edits = dice_.Between(1, 2); edits > 0; --edits) {
    const std::string other = AnyValue(words);
    AnyValue(words) = dice_.Percent(50) ? StrangeValue() : other;
    // What took a value's place may be none: nothing is left to look for then.
    if (std::none_of(words.begin(), words.end(), IsValue)) break;
  }
  return absl::StrJoin(words, " ");
}

std::string ConfigMutator::EditWords(const std::string& text) {
  std::vector<std::string> words = WordsOf(text);
  for (int edits = dice_.Between(1, 2); edits > 0; --edits) {
    std::string& word = words[dice_.Below(words.size())];
    switch (dice_.Below(4)) {
      case 0:
        word.clear();
        break;
      case 1:
        word += " " + word;
        break;
      case 2:
        std::swap(word, words[dice_.Below(words.size())]);
        break;
      default:
        word = StrangeValue();
        break;
    }
  }
  return absl::StrJoin(words, " ");
}

std::string ConfigMutator::EditBytes(std::string bytes) {
  for (int edits = dice_.Between(1, 4); edits > 0 && !bytes.empty(); --edits) {
    const size_t at = dice_.Below(bytes.size());
    switch (dice_.Below(3)) {
      case 0:
        bytes[at] = static_cast<char>(dice_.Below(256));
        break;
      case 1:
        bytes.erase(at, 1 + dice_.Below(8));
        break;
      default:
        bytes.insert(at, 1, static_cast<char>(dice_.Below(256)));
        break;
    }
  }
  return bytes;
}

// --- Fields

void ConfigMutator::CollectPlaces(Message& message, std::vector<Place>& places) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    places.push_back({&message, field});
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_map()) continue;
    if (!field->is_repeated()) {
      CollectPlaces(*reflection.MutableMessage(&message, field), places);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      CollectPlaces(*reflection.MutableRepeatedMessage(&message, field, i), places);
    }
  }
}

void ConfigMutator::EditFields(Message& message) {
  for (int edits = dice_.Between(1, 3); edits > 0; --edits) {
    std::vector<Place> places;
    CollectPlaces(message, places);
    if (places.empty()) return;
    EditField(places, dice_.Pick(places));
  }
}

void ConfigMutator::EditField(const std::vector<Place>& places, const Place& place) {
  if (place.field->is_repeated()) return EditElements(place);
  if (dice_.Percent(20)) {
    return place.message->GetReflection()->ClearField(place.message, place.field);
  }
  EditSingle(places, place);
}

void ConfigMutator::EditElements(const Place& place) {
  Message& message = *place.message;
  const FieldDescriptor* const field = place.field;
  const Reflection& reflection = *message.GetReflection();
  const int last = reflection.FieldSize(message, field) - 1;
  const int one = dice_.Between(0, last);
  switch (dice_.Below(3)) {
    case 0:
      reflection.SwapElements(&message, field, one, last);
      reflection.RemoveLast(&message, field);
      break;
    case 1:
      reflection.SwapElements(&message, field, one, dice_.Between(0, last));
      break;
    default:
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        Message* const added = reflection.AddMessage(&message, field);
        added->CopyFrom(reflection.GetRepeatedMessage(message, field, one));
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        reflection.AddString(&message, field, reflection.GetRepeatedString(message, field, one));
      }
      break;
  }
}

// Text and messages come from elsewhere: from any other text, from a message of the same kind.
void ConfigMutator::EditSingle(const std::vector<Place>& places, const Place& place) {
  const Reflection& reflection = *place.message->GetReflection();
  std::vector<Place> donors;
  for (const Place& other : places) {
    const bool is_like = !other.field->is_repeated() &&
                         other.field->cpp_type() == place.field->cpp_type() &&
                         other.field->message_type() == place.field->message_type();
    if (is_like) donors.push_back(other);
  }
  const Place& donor = dice_.Pick(donors);
  const Reflection& from = *donor.message->GetReflection();
  switch (place.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      reflection.SetString(place.message, place.field, from.GetString(*donor.message, donor.field));
      break;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      Replace(from.GetMessage(*donor.message, donor.field),
              reflection.MutableMessage(place.message, place.field));
      break;
    default:
      SetNumber(place);
      break;
  }
}

void ConfigMutator::SetNumber(const Place& place) {
  Message& message = *place.message;
  const FieldDescriptor* const field = place.field;
  const Reflection& reflection = *message.GetReflection();
  const int64_t value =
      dice_.Pick<int64_t>({-1, 0, 1, 2, 3, 5, 17, 1000, std::numeric_limits<int32_t>::max(),
                           std::numeric_limits<int64_t>::max()});
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(&message, field, static_cast<int32_t>(value));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(&message, field, value);
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.SetUInt64(&message, field, static_cast<uint64_t>(value));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(&message, field, value % 2 == 0);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.SetFloat(&message, field, static_cast<float>(value) / 2);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(&message, field, static_cast<double>(value) / 2);
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(&message, field, static_cast<int>(value % 5));
    default:
      return;
  }
}

}  // namespace distbench::model
