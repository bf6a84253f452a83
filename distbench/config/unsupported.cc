// Fields of the format that this program does not act on yet. A config that sets one is refused,
// never run without it. Values that are refused among others of the same field (a fanout filter, a
// distribution of intervals) are refused where that field is compiled.
//
// Supporting a field = compile it and remove its line here.
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace distbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct UnsupportedField {
  const char* name;  // message and field
  const char* what;  // "... not supported yet"
};

constexpr UnsupportedField kUnsupported[] = {
    {"DistributedSystemDescription.rpc_replay_traces", "replay is"},
    {"Action.rpc_replay_trace_name", "replay is"},
};

class UnsupportedFieldSearch {
 public:
  explicit UnsupportedFieldSearch(Reporter& report) : report_(report) {
    for (const UnsupportedField& field : kUnsupported) {
      unsupported_.emplace(absl::StrCat("distbench.", field.name), field.what);
    }
  }

  void Search(const Message& message, const std::string& path) {
    std::vector<const FieldDescriptor*> present;
    message.GetReflection()->ListFields(message, &present);
    for (const FieldDescriptor* field : present) {
      const std::string field_path =
          path.empty() ? field->name() : absl::StrCat(path, ".", field->name());
      const auto it = unsupported_.find(field->full_name());
      if (it != unsupported_.end()) {
        ReportIfEffective(message, *field, field_path, it->second);
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !field->is_map()) {
        SearchBelow(message, *field, field_path);
      }
    }
  }

 private:
  void SearchBelow(const Message& message, const FieldDescriptor& field, const std::string& path) {
    const Reflection& reflection = *message.GetReflection();
    if (!field.is_repeated()) {
      Search(reflection.GetMessage(message, &field), path);
      return;
    }
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      Search(reflection.GetRepeatedMessage(message, &field, i), ElementPath(path, i));
    }
  }

  // A field that is present but off (0, false, "") asks for nothing.
  void ReportIfEffective(const Message& message, const FieldDescriptor& field,
                         const std::string& path, const char* what) {
    const std::string value = EffectiveValue(message, field);
    if (value.empty()) return;
    report_.Unsupported(
        path, absl::StrCat(value, ": ", what, " not supported yet; leave ", field.name(), " out"));
  }

  // Empty if the field is off. Negative numbers are plain errors, reported with the other values.
  static std::string EffectiveValue(const Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    if (field.is_repeated()) {
      return absl::StrCat(reflection.FieldSize(message, &field), " given");
    }
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_BOOL:
        return reflection.GetBool(message, &field) ? "true" : "";
      case FieldDescriptor::CPPTYPE_INT32:
        return PositiveText(reflection.GetInt32(message, &field));
      case FieldDescriptor::CPPTYPE_INT64:
        return PositiveText(reflection.GetInt64(message, &field));
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string value = reflection.GetString(message, &field);
        return value.empty() ? "" : Quoted(value);
      }
      default:
        return "set";
    }
  }

  static std::string PositiveText(int64_t value) {
    return value > 0 ? absl::StrCat(value) : std::string();
  }

  Reporter& report_;
  absl::flat_hash_map<std::string, const char*> unsupported_;  // by full name of the field
};

}  // namespace

void RefuseUnsupported(const DistributedSystemDescription& config, Reporter& report) {
  UnsupportedFieldSearch(report).Search(config, "");
}

}  // namespace distbench
