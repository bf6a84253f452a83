#include "test_builder/test_parameters.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "test_builder/attributes.h"
#include "test_builder/driver_choice.h"
#include "test_builder/pattern_registry.h"
#include "test_builder/patterns/patterns.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

DistributedSystemDescription Parsed(const std::string& text) {
  DistributedSystemDescription test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test));
  return test;
}

absl::Status Apply(const std::vector<NamedValue>& given, DistributedSystemDescription* test) {
  const auto values = ParameterValues::Read(ParametersOfAllTests(), given);
  EXPECT_TRUE(values.ok()) << values.status();
  return ApplyToTest(*values, test);
}

absl::StatusOr<DistributedSystemDescription> WithExtra(const std::string& contents) {
  return ReadTestText(absl::StrCat("tests {\n  name: 't'\n  attributes { key: 'k' value: '1' }\n",
                                   contents, "\n}\n"),
                      contents);
}

std::string ErrorOfExtra(const std::string& contents) {
  return std::string(WithExtra(contents).status().message());
}

TEST(ParametersOfAllTestsTest, PacingIsThatOfOpenLoops) {
  DistributedSystemDescription test =
      Parsed("actions { iterations { open_loop_interval_ns: 1 } } actions { iterations {} }");
  ASSERT_TRUE(Apply({{"pacing", "spin"}}, &test).ok());
  EXPECT_EQ(test.actions(0).iterations().pacing(), "spin");
  EXPECT_FALSE(test.actions(1).iterations().has_pacing());
  DistributedSystemDescription closed = Parsed("actions { iterations {} }");
  EXPECT_THAT(
      Apply({{"pacing", "spin"}}, &closed).message(),
      AllOf(HasSubstr("pacing=spin"), HasSubstr("no open loop"), HasSubstr("leave it out")));
}

TEST(ParametersOfAllTestsTest, AllListsKeepSoManySamples) {
  DistributedSystemDescription test = Parsed("action_lists {} action_lists {}");
  ASSERT_TRUE(Apply({}, &test).ok());
  EXPECT_FALSE(test.action_lists(0).has_max_rpc_samples());
  ASSERT_TRUE(Apply({{"max_rpc_samples", "1000"}}, &test).ok());
  EXPECT_EQ(test.action_lists(0).max_rpc_samples(), 1000);
  EXPECT_EQ(test.action_lists(1).max_rpc_samples(), 1000);
}

TEST(ExtraContentsTest, TheyArePartOfTheTest) {
  for (const char* contents : {"", "seed: 7 services { name: 'b' } # end", "seed: 7"}) {
    const auto test = WithExtra(contents);
    ASSERT_TRUE(test.ok()) << test.status();
    EXPECT_EQ(test->seed(), *contents == '\0' ? 0 : 7);
    EXPECT_EQ(test->name(), "t");
  }
}

TEST(ExtraContentsTest, ErrorsSayTheirPlace) {
  EXPECT_THAT(ErrorOfExtra("seed: 7\n sed: 8"),
              AllOf(HasSubstr("extra_test_contents:2:2: "), HasSubstr("'seed'")));
  EXPECT_THAT(ErrorOfExtra("seed: 7\nname: 'other'"),
              AllOf(HasSubstr("extra_test_contents:2:"), HasSubstr("\"name\"")));
}

TEST(ExtraContentsTest, AKeyThatTheTestHasIsAnError) {
  EXPECT_EQ(ErrorOfExtra("seed: 7\nattributes { key: 'k' value: '2' }"),
            "extra_test_contents:2:1: attributes has the key 'k' already; remove one");
  EXPECT_TRUE(WithExtra("attributes { key: 'l' value: '2' }").ok());
}

TEST(ExtraContentsTest, TheyDoNotLeaveTheTest) {
  EXPECT_THAT(ErrorOfExtra("} tests_setting { keep_instance_log: false"),
              HasSubstr("extra_test_contents:1:1: "));
  EXPECT_THAT(ErrorOfExtra("}tests{"), HasSubstr("extra_test_contents:1:1: "));
  EXPECT_THAT(ErrorOfExtra("tests_setting {}"), HasSubstr("extra_test_contents:1:1: "));
}

TEST(TakenNamesTest, LabelsAreAllAttributesThatAreNoParameters) {
  DistributedSystemDescription test;
  const TestLabels labels = {.pattern = "p",
                             .alias = "p_1",
                             .driver = {.driver = "tcp", .ip_version = 6},
                             .protocol_alias = "tcp_ipv6",
                             .test_name = "n",
                             .config_label = "n",
                             .duration_text = "1",
                             .duration = absl::Seconds(1),
                             .swept = {"x"}};
  SetAttributes(labels, ParameterValues(), &test);
  EXPECT_EQ(test.attributes_size(), LabelNames().size());
  for (const auto& [name, value] : test.attributes()) EXPECT_THAT(LabelNames(), Contains(name));
}

TEST(TakenNamesTest, NoPatternUsesThem) {
  const std::vector<std::string> taken = TakenNames();
  EXPECT_THAT(taken, AllOf(Contains("transport"), Contains("pacing"), Contains("test_timeout")));
  const PatternRegistry patterns = BuiltInPatterns();
  for (const auto& pattern : patterns.all()) {
    for (const std::string& name : NamesOf(pattern->parameters())) {
      EXPECT_THAT(taken, Not(Contains(name))) << pattern->name();
    }
  }
}

TEST(AllParametersTest, AParameterInPlaceOfADriverNeedsAValue) {
  const PatternRegistry patterns = BuiltInPatterns();
  const auto clique = patterns.Find("clique");
  ASSERT_TRUE(clique.ok()) << clique.status();
  for (const char* name : {"node_count", "pacing", "transport"}) {
    EXPECT_THAT(AllParameters(**clique, name).status().message(),
                AllOf(HasSubstr("is a parameter"), HasSubstr(std::string(name) + "=VALUE")));
  }
  EXPECT_THAT(AllParameters(**clique, "nod_count").status().message(), HasSubstr("unknown driver"));
}

}  // namespace
}  // namespace distbench
