#include "test_builder/config_text.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

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

TEST(FirstDifferenceTest, ShowsLinesOfBoth) {
  EXPECT_EQ(FirstDifference("a\nb\nc", "a\nb\nc"), "");
  EXPECT_EQ(FirstDifference("a\nb\nc", "a\nx\nc"), "- b\n+ x");
  EXPECT_EQ(FirstDifference("a", "a\nb"), "+ b");
}

}  // namespace
}  // namespace distbench
