#include "distbench/config/unknown_field.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/unknown_field_set.h"

namespace distbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::optional<std::string> FindBelow(const Message& message, const std::string& path) {
  const Reflection& reflection = *message.GetReflection();
  const auto& unknown = reflection.GetUnknownFields(message);
  if (!unknown.empty()) {
    return absl::StrCat("field ", unknown.field(0).number(), " of ",
                        path.empty() ? message.GetDescriptor()->name() : path);
  }
  std::vector<const FieldDescriptor*> present;
  reflection.ListFields(message, &present);
  for (const FieldDescriptor* field : present) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string field_path = absl::StrCat(path, path.empty() ? "" : ".", field->name());
    if (!field->is_repeated()) {
      auto found = FindBelow(reflection.GetMessage(message, field), field_path);
      if (found.has_value()) return found;
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      auto found = FindBelow(reflection.GetRepeatedMessage(message, field, i),
                             absl::StrCat(field_path, "[", i, "]"));
      if (found.has_value()) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindUnknownField(const Message& message) {
  return FindBelow(message, "");
}

}  // namespace distbench
