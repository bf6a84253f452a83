#include "test_builder/config_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

DistributedSystemDescription Parsed(const std::string& text) {
  DistributedSystemDescription test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test));
  return test;
}

TEST(TestTextTest, AFieldIsALineWhereItFits) {
  EXPECT_EQ(TestText(Parsed(R"(services { name: "client" count: 1 }
                             name: "short"
                             attributes { key: "a10" value: "y" }
                             attributes { key: "a2" value: "x" }
                             actions { name: "a" rpc_name: "q" dependencies: ["b", "c"] })"),
                     ""),
            R"(tests {
  name: "short"
  attributes { key: "a2" value: "x" }
  attributes { key: "a10" value: "y" }
  services { name: "client" count: 1 }
  actions { name: "a" dependencies: "b" dependencies: "c" rpc_name: "q" }
}
)");
}

TEST(TestTextTest, WhatIsTooWideIsBroken) {
  const std::string wide(60, 'x');
  EXPECT_EQ(TestText(Parsed(R"(rpc_descriptions { name: ")" + wide + R"(" client: ["a", "b"] server:
                             ")" +
                            wide + R"(" tracing_interval: 3 })"),
                     ""),
            "tests {\n  rpc_descriptions {\n    name: \"" + wide +
                "\"\n    client: \"a\"\n    client: \"b\"\n    server: \"" + wide +
                "\"\n    tracing_interval: 3\n  }\n}\n");
}

TEST(TestTextTest, TheTextIsTheTest) {
  const DistributedSystemDescription test = Parsed(R"(
      name: "t\"\n" seed: 7
      action_lists { name: "l" predicate_probabilities { key: "p" value: 0.1 } }
      distribution_config { name: "d" cdf_points { cdf: 0.3 value: 1 }
                            cdf_points { cdf: 0.7 value: 2 } cdf_points { cdf: 1 value: 3 } })");
  for (const Comments comments : {Comments::kNone, Comments::kExplain}) {
    const std::string text = TestText(test, "", comments);
    TestSequence sequence;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &sequence)) << text;
    EXPECT_EQ(sequence.tests(0).DebugString(), test.DebugString());
  }
}

TEST(TestTextTest, ExtraContentsAreCopiedAsTheyStand) {
  EXPECT_EQ(TestText(Parsed("name: \"t\""), "# mine\n seed:7"),
            "tests {\n  name: \"t\"\n# mine\n seed:7\n}\n");
}

TEST(TestTextTest, CommentsExplain) {
  EXPECT_THAT(TestText(Parsed("services { name: \"s\" }"), "", Comments::kExplain),
              HasSubstr("\n  # Who there is, and how many of each.\n  services {"));
}

TEST(TestTextTest, EachFieldOfAPatternIsExplained) {
  std::set<std::string> fields;
  for (const auto& file : std::filesystem::directory_iterator("test_builder/golden")) {
    if (file.path().extension() != ".config") continue;
    std::ifstream stream(file.path());
    const std::string text((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
    TestSequence sequence;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &sequence)) << file.path();
    std::vector<const google::protobuf::FieldDescriptor*> set;
    sequence.tests(0).GetReflection()->ListFields(sequence.tests(0), &set);
    for (const auto* const field : set) {
      if (!fields.insert(field->name()).second) continue;
      DistributedSystemDescription only = sequence.tests(0);
      for (const auto* const other : set) {
        if (other != field) only.GetReflection()->ClearField(&only, other);
      }
      EXPECT_THAT(TestText(only, "", Comments::kExplain), StartsWith("tests {\n\n  # "))
          << field->name();
    }
  }
  EXPECT_THAT(fields, Contains("node_service_bundles"));
}

TEST(FirstDifferenceTest, ShowsLinesOfBoth) {
  EXPECT_EQ(FirstDifference("a\nb\nc", "a\nb\nc"), "");
  EXPECT_EQ(FirstDifference("a\nb\nc", "a\nx\nc"), "- b\n+ x");
  EXPECT_EQ(FirstDifference("a", "a\nb"), "+ b");
  EXPECT_EQ(FirstDifference("a\nb\nc\nd", "a\nc\nd"), "- b");
  EXPECT_EQ(FirstDifference("a\nb\nc", "a\nx\nb\nc"), "+ x");
  EXPECT_EQ(FirstDifference("a\na", "a"), "- a");
}

}  // namespace
}  // namespace distbench
