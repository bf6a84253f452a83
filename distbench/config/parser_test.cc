#include "distbench/config/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(const std::string& contents) {
  const auto parsed = ParseTestSequence("f.config", contents);
  EXPECT_TRUE(absl::IsInvalidArgument(parsed.status())) << parsed.status();
  return std::string(parsed.status().message());
}

TEST(ParseTestSequenceTest, ReadsText) {
  const auto sequence =
      ParseTestSequence("f",
                        "tests { name: 'a' }\n# a comment\ntests { name: 'b' }\ntests_setting { "
                        "keep_instance_log: false }");
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->tests_size(), 2);
  EXPECT_EQ(sequence->tests(1).name(), "b");
  EXPECT_FALSE(sequence->tests_setting().keep_instance_log());
}

TEST(ParseTestSequenceTest, ReadsBinary) {
  TestSequence original;
  original.add_tests()->set_name("a");
  original.mutable_tests(0)->add_services()->set_name("s");
  (*original.mutable_tests(0)->mutable_attributes())["k"] = "v";
  const auto sequence = ParseTestSequence("f", original.SerializeAsString());
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->ShortDebugString(), original.ShortDebugString());
}

TEST(ParseTestSequenceTest, NothingIsAnEmptySequence) {
  for (const char* contents : {"", "\n", "# produced by a tool\n"}) {
    const auto sequence = ParseTestSequence("f", contents);
    ASSERT_TRUE(sequence.ok()) << sequence.status();
    EXPECT_EQ(sequence->tests_size(), 0);
  }
}

TEST(ParseTestSequenceTest, ASingleTestNeedsNoSequenceAroundIt) {
  const auto text = ParseTestSequence("f", "name: 'a' services { name: 's' }");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->tests(0).services(0).name(), "s");
  const auto binary = ParseTestSequence("f", text->tests(0).SerializeAsString());
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(binary->ShortDebugString(), text->ShortDebugString());
}

TEST(ParseTestSequenceTest, NamesEachUnknownFieldWithItsPlaceAndTheNearestName) {
  EXPECT_EQ(ErrorOf("tests {\n"
                    "  services { nam: 's' }\n"
                    "  actions { rpc_nme : 'x' iterations { max_cout: 3 } } }\n"
                    "tets {}\n"),
            "f.config:2:14: ServiceSpec has no field 'nam' (did you mean 'name'?)\n"
            "f.config:3:13: Action has no field 'rpc_nme' (did you mean 'rpc_name'?)\n"
            "f.config:3:40: Iterations has no field 'max_cout' (did you mean "
            "'max_iteration_count' or 'max_iteration_count_64'?)\n"
            "f.config:4:1: TestSequence has no field 'tets' (did you mean 'tests'?)");
}

TEST(ParseTestSequenceTest, TellsTwoUnknownFieldsOfOneNameApart) {
  EXPECT_EQ(ErrorOf("tests { nam: 'x' nam : 'y' }"),
            "f.config:1:9: DistributedSystemDescription has no field 'nam' (did you mean 'name'?)\n"
            "f.config:1:18: DistributedSystemDescription has no field 'nam' (did you mean "
            "'name'?)");
}

TEST(ParseTestSequenceTest, NamesThePlaceOfASyntaxErrorAfterUnknownFields) {
  const std::string error = ErrorOf("tests { nam: 'x'\n  services { count: 'many' } }");
  EXPECT_THAT(error, HasSubstr("f.config:1:9: DistributedSystemDescription has no field 'nam'"));
  EXPECT_THAT(error, HasSubstr("\nf.config:2:21: Expected integer, got: 'many'"));
}

TEST(ParseTestSequenceTest, ErrorsOfASingleTestAreThoseOfATest) {
  EXPECT_EQ(ErrorOf("name: 'a'\nservices { nme: 's' }"),
            "f.config:2:12: ServiceSpec has no field 'nme' (did you mean 'name'?)");
}

TEST(ParseTestSequenceTest, RefusesFieldsThatAreSetTwice) {
  EXPECT_THAT(ErrorOf("tests { services { count: 1 count: 2 } }"),
              HasSubstr("\"count\" is specified multiple times"));
  EXPECT_THAT(ErrorOf("tests { actions { rpc_name: 'a' action_list_name: 'b' } }"),
              HasSubstr("another member of oneof"));
}

TEST(ParseTestSequenceTest, RefusesKeysThatAreSetTwice) {
  EXPECT_EQ(ErrorOf("tests {\n  attributes { key: 'a' value: '1' }\n"
                    "  attributes { key: 'b' value: '1' }\n"
                    "  attributes { key: 'a' value: '2' } }"),
            "f.config:4:3: attributes has the key 'a' already; remove one");
}

TEST(ParseTestSequenceTest, RefusesGarbage) {
  EXPECT_EQ(ErrorOf(std::string("\0\1\2 garbage", 11)),
            "f.config: neither a text nor a binary TestSequence");
  EXPECT_THAT(ErrorOf("PNG of a cat"), HasSubstr("f.config:1:1: "));
}

TEST(ParseTestSequenceTest, RefusesBinaryFieldsThatItDoesNotKnow) {
  TestSequence newer;
  newer.add_tests()
      ->add_actions()
      ->GetReflection()
      ->MutableUnknownFields(newer.mutable_tests(0)->mutable_actions(0))
      ->AddVarint(77, 1);
  EXPECT_EQ(ErrorOf(newer.SerializeAsString()),
            "f.config: field 77 of tests[0].actions[0] is unknown; the file is damaged or was "
            "written by a newer version");
}

TEST(ParseTestSequenceTest, DeepNestingEndsInAnError) {
  for (const char* opening : {"x{", "x<", "x:[", "tests{services{x{"}) {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += opening;
    EXPECT_NE(ErrorOf(text), "") << opening;
  }
}

TEST(AppendTestSequenceTest, AppendsTestsAndLaterSettingsWin) {
  TestSequence sequence =
      *ParseTestSequence("a", "tests { name: 'a' } tests_setting { keep_instance_log: false }");
  AppendTestSequence(*ParseTestSequence("b",
                                        "tests { name: 'b' } tests_setting { "
                                        "shutdown_after_tests: true }"),
                     &sequence);
  EXPECT_EQ(sequence.ShortDebugString(),
            "tests { name: \"a\" } tests { name: \"b\" } tests_setting { keep_instance_log: false "
            "shutdown_after_tests: true }");
}

}  // namespace
}  // namespace distbench
