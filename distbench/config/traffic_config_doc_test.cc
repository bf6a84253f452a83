// Holds docs/traffic_config.md against the format that it describes and the tests that it names. A
// row of the page, below the heading of its message:
//
//   | `count` | meaning | unit | default | range | [Suite.Name](../distbench/config/a_test.cc) |
//
// A default that is code type and nothing else is that of the format. To name another test is to
// edit the last cell: the tests of a folder are read here if its BUILD file has `test_sources`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "protos/joint_distribution.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptor;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kPage[] = "docs/traffic_config.md";
constexpr size_t kCells = 6;

struct Row {
  std::string field;  // "Iterations.warmup_ns"
  std::string meaning;
  std::string default_value;  // as the page has it, with its quotes
  std::string tests;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string Unquoted(const std::string& text) {
  const bool is_quoted = text.size() >= 2 && text.front() == '`' && text.back() == '`' &&
                         text.find('`', 1) == text.size() - 1;
  return is_quoted ? text.substr(1, text.size() - 2) : "";
}

std::vector<Row> ReadRows() {
  std::vector<Row> rows;
  std::string message;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(ReadFile(kPage), '\n'))) {
    if (absl::StartsWith(line, "## ")) message = line.substr(3);
    if (!absl::StartsWith(line, "| `")) continue;
    std::vector<std::string> cells = absl::StrSplit(line, '|');
    EXPECT_EQ(cells.size(), kCells + 2) << line;
    if (cells.size() != kCells + 2) continue;
    for (std::string& cell : cells) absl::StripAsciiWhitespace(&cell);
    rows.push_back({.field = absl::StrCat(message, ".", Unquoted(cells[1])),
                    .meaning = cells[2],
                    .default_value = cells[4],
                    .tests = cells[6]});
  }
  return rows;
}

std::vector<const FileDescriptor*> Files() {
  return {TestSequence::descriptor()->file(), DistributionConfig::descriptor()->file()};
}

using Fields = std::map<std::string, const FieldDescriptor*>;

// Those of the message and of the messages within it. `name` is "Outer.Inner".
void AddFields(const Descriptor& message, const std::string& name, Fields& fields) {
  for (int i = 0; i < message.field_count(); ++i) {
    fields[absl::StrCat(name, ".", message.field(i)->name())] = message.field(i);
  }
  for (int i = 0; i < message.nested_type_count(); ++i) {
    const Descriptor& inner = *message.nested_type(i);
    if (!inner.options().map_entry())
      AddFields(inner, absl::StrCat(name, ".", inner.name()), fields);
  }
}

Fields AllFields() {
  Fields fields;
  for (const FileDescriptor* file : Files()) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      AddFields(*file->message_type(i), file->message_type(i)->name(), fields);
    }
  }
  return fields;
}

// Empty if the format has none.
std::string DefaultOf(const FieldDescriptor& field) {
  if (!field.has_default_value()) return "";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return field.default_value_bool() ? "true" : "false";
    case FieldDescriptor::CPPTYPE_INT32:
      return absl::StrCat(field.default_value_int32());
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(field.default_value_int64());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return absl::StrCat(field.default_value_double());
    case FieldDescriptor::CPPTYPE_STRING:
      return field.default_value_string();
    default:
      return "of a type that this test does not know";
  }
}

// The sources of tests, without white space, each read once.
class TestSources {
 public:
  bool Has(const std::string& path, const std::string& suite, const std::string& name) {
    const std::string& source = SourceOf(path);
    if (absl::EndsWith(path, ".py")) {
      return absl::StrContains(source, absl::StrCat("class", suite, "(")) &&
             absl::StrContains(source, absl::StrCat("def", name, "("));
    }
    for (const char* macro : {"TEST(", "TEST_F(", "TEST_P("}) {
      if (absl::StrContains(source, absl::StrCat(macro, suite, ",", name, ")"))) return true;
    }
    return false;
  }

 private:
  const std::string& SourceOf(const std::string& path) {
    const auto [known, is_new] = sources_.try_emplace(path);
    if (is_new) {
      for (char c : ReadFile(path)) {
        if (!absl::ascii_isspace(static_cast<unsigned char>(c))) known->second.push_back(c);
      }
      EXPECT_THAT(known->second, Not(IsEmpty())) << path << " cannot be read";
    }
    return known->second;
  }

  std::map<std::string, std::string> sources_;
};

struct TestLink {
  std::string suite, name;
  std::string path;  // from the root
};

// Of "[Suite.Name](../path)".
std::optional<TestLink> ParseLink(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "[") || !absl::ConsumeSuffix(&text, ")")) return std::nullopt;
  const std::vector<std::string> parts = absl::StrSplit(text, "](../");
  if (parts.size() != 2) return std::nullopt;
  const std::vector<std::string> names = absl::StrSplit(parts[0], '.');
  if (names.size() != 2) return std::nullopt;
  return TestLink{.suite = names[0], .name = names[1], .path = parts[1]};
}

TEST(TrafficConfigDocTest, EveryFieldHasARowAndEveryRowAField) {
  const std::map<std::string, const FieldDescriptor*> fields = AllFields();
  std::set<std::string> documented;
  for (const Row& row : ReadRows()) {
    EXPECT_TRUE(documented.insert(row.field).second) << row.field << " has two rows";
    EXPECT_TRUE(fields.contains(row.field)) << "there is no field " << row.field;
    EXPECT_THAT(row.meaning, Not(IsEmpty())) << row.field;
  }
  for (const auto& [name, field] : fields) {
    EXPECT_TRUE(documented.contains(name)) << name << " has no row in " << kPage;
  }
}

TEST(TrafficConfigDocTest, DefaultsAreThoseOfTheFormat) {
  const std::map<std::string, const FieldDescriptor*> fields = AllFields();
  for (const Row& row : ReadRows()) {
    const auto field = fields.find(row.field);
    if (field == fields.end()) continue;  // the test above says so
    EXPECT_EQ(Unquoted(row.default_value), DefaultOf(*field->second)) << row.field;
    EXPECT_THAT(row.default_value, Not(IsEmpty())) << row.field;
  }
}

TEST(TrafficConfigDocTest, EveryValueOfAnEnumIsNamed) {
  const std::map<std::string, const FieldDescriptor*> fields = AllFields();
  for (const Row& row : ReadRows()) {
    const auto field = fields.find(row.field);
    if (field == fields.end() || field->second->enum_type() == nullptr) continue;
    for (int i = 0; i < field->second->enum_type()->value_count(); ++i) {
      const std::string name = absl::StrCat("`", field->second->enum_type()->value(i)->name(), "`");
      EXPECT_THAT(row.meaning, ::testing::HasSubstr(name)) << row.field;
    }
  }
}

TEST(TrafficConfigDocTest, EveryFieldIsHeldByTestsThatExist) {
  TestSources sources;
  for (const Row& row : ReadRows()) {
    for (const std::string& test : std::vector<std::string>(absl::StrSplit(row.tests, ", "))) {
      const std::optional<TestLink> link = ParseLink(test);
      EXPECT_TRUE(link.has_value()) << row.field << ": '" << test << "' is no link to a test";
      if (!link.has_value()) continue;
      EXPECT_TRUE(sources.Has(link->path, link->suite, link->name))
          << row.field << ": " << link->path << " has no test " << link->suite << "." << link->name;
    }
  }
}

}  // namespace
}  // namespace distbench
