#include "test_builder/config_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "test_builder/version_order.h"

namespace distbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

constexpr size_t kWidth = 100;
constexpr int kIndent = 2;
constexpr int kMaxDifferingLines = 5;

// What the fields of a test are there for.
struct Explanation {
  absl::string_view field;
  absl::string_view text;
};
constexpr Explanation kExplanations[] = {
    {"attributes", "Labels, which the result keeps."},
    {"name", "What results call it."},
    {"services", "Who there is, and how many of each."},
    {"service_constraints", "Which nodes an instance may be on, by their attributes."},
    {"node_service_bundles", "Which instances are together on a node."},
    {"payload_descriptions", "Sizes of messages, headers included."},
    {"rpc_descriptions", "Who calls whom, with which messages."},
    {"activity_configs", "Work that is no RPC."},
    {"actions", "What is done: an RPC or a list of actions, once or again and again."},
    {"action_lists",
     "When: the list named like a service on each of its instances, one named like an RPC for each "
     "request."},
    {"protocol_driver_options", "How instances talk."},
    {"distribution_config", "Sizes of requests and responses, drawn together."},
    {"delay_distribution_configs", "Delays in front of actions."},
    {"size_distribution_configs", "Sizes that are drawn for each message."},
    {"overload_limits", "Beyond these the test ends."},
};

std::string SingleLine(const Message& message) {
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(message, &text);
  return std::string(absl::StripSuffix(text, " "));
}

std::string KeyOf(const Message& map_entry) {
  return map_entry.GetReflection()->GetString(map_entry, map_entry.GetDescriptor()->map_key());
}

// The elements of a field that is a message; those of a map by their keys.
std::vector<const Message*> Elements(const Message& message, const FieldDescriptor& field) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const Message*> elements;
  if (!field.is_repeated()) {
    elements.push_back(&reflection.GetMessage(message, &field));
    return elements;
  }
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    elements.push_back(&reflection.GetRepeatedMessage(message, &field, i));
  }
  if (field.is_map()) {
    std::sort(elements.begin(), elements.end(), [](const Message* left, const Message* right) {
      return ComesBefore(KeyOf(*left), KeyOf(*right));
    });
  }
  return elements;
}

class Layout {
 public:
  explicit Layout(Comments comments) : comments_(comments) {}

  // All fields of the message, in the order of their declaration.
  void AppendFields(const Message& message, int indent) {
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *message.GetDescriptor()->field(i);
      const int size = field.is_repeated() ? reflection.FieldSize(message, &field)
                                           : static_cast<int>(reflection.HasField(message, &field));
      if (size == 0) continue;
      if (indent == kIndent) Explain(field.name());
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        for (const Message* element : Elements(message, field)) {
          AppendMessage(field.name(), *element, indent);
        }
      } else {
        for (int element = 0; element < size; ++element) {
          std::string value;
          TextFormat::PrintFieldValueToString(message, &field, field.is_repeated() ? element : -1,
                                              &value);
          AppendLine(absl::StrCat(field.name(), ": ", value), indent);
        }
      }
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  void AppendLine(absl::string_view line, int indent) {
    absl::StrAppend(&text_, std::string(static_cast<size_t>(indent), ' '), line, "\n");
  }

  void AppendMessage(const std::string& name, const Message& message, int indent) {
    const std::string line = absl::StrCat(name, " { ", SingleLine(message), " }");
    if (line.size() + static_cast<size_t>(indent) <= kWidth) {
      AppendLine(line, indent);
      return;
    }
    AppendLine(absl::StrCat(name, " {"), indent);
    AppendFields(message, indent + kIndent);
    AppendLine("}", indent);
  }

  void Explain(const std::string& field) {
    if (comments_ == Comments::kNone) return;
    for (const Explanation& explanation : kExplanations) {
      if (explanation.field != field) continue;
      absl::StrAppend(&text_, "\n");
      AppendLine(absl::StrCat("# ", explanation.text), kIndent);
    }
  }

  const Comments comments_;
  std::string text_;
};

std::string TextWithoutSweep(DistributedSystemDescription test) {
  test.mutable_attributes()->erase("swept_parameter");
  return TestText(test, "");
}

}  // namespace

std::string TestText(const DistributedSystemDescription& test, absl::string_view extra_contents,
                     Comments comments) {
  Layout layout(comments);
  layout.AppendFields(test, kIndent);
  return absl::StrCat("tests {\n", layout.Take(), extra_contents,
                      extra_contents.empty() || absl::EndsWith(extra_contents, "\n") ? "" : "\n",
                      "}\n");
}

std::string FirstDifference(absl::string_view before, absl::string_view after) {
  std::vector<absl::string_view> left = absl::StrSplit(before, '\n');
  std::vector<absl::string_view> right = absl::StrSplit(after, '\n');
  // What follows a line that only one of them has is the same again.
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    left.pop_back();
    right.pop_back();
  }
  const size_t common = std::min(left.size(), right.size());
  std::string difference;
  int lines = 0;
  for (size_t i = 0; i < std::max(left.size(), right.size()) && lines < kMaxDifferingLines; ++i) {
    if (i < common && left[i] == right[i]) continue;
    ++lines;
    if (i < left.size()) absl::StrAppend(&difference, "- ", left[i], "\n");
    if (i < right.size()) absl::StrAppend(&difference, "+ ", right[i], "\n");
  }
  return std::string(absl::StripSuffix(difference, "\n"));
}

std::string TestDifference(const DistributedSystemDescription& before,
                           const DistributedSystemDescription& after) {
  return FirstDifference(TextWithoutSweep(before), TextWithoutSweep(after));
}

}  // namespace distbench
