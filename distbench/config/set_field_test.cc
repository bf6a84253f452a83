#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "distbench/config/field_path.h"
#include "distbench/config/parser.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

TestSequence SequenceOf(const std::string& text) {
  TestSequence sequence;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &sequence)) << text;
  return sequence;
}

constexpr char kOneTest[] = R"(
  tests {
    attributes { key: 'k' value: 'v' }
    actions { name: 'a' rpc_name: 'r' } actions { name: 'b' dependencies: ['x', 'y'] }
    action_lists { name: 'l' predicate_probabilities { key: 'p' value: 0.5 } }
    rpc_descriptions { name: 'r' client: 'c' }
  })";

// The assignment turns the test's text into `expected`, which is written as differences to it.
void ExpectSame(const std::string& assignment, TestSequence expected) {
  TestSequence sequence = SequenceOf(kOneTest);
  const absl::Status status = SetField(assignment, &sequence);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(sequence.ShortDebugString(), expected.ShortDebugString()) << assignment;
}

void ExpectError(const std::string& assignment, const std::string& message) {
  TestSequence sequence = SequenceOf(kOneTest);
  const absl::Status status = SetField(assignment, &sequence);
  EXPECT_FALSE(status.ok()) << assignment;
  EXPECT_EQ(status.message(), message);
  EXPECT_EQ(sequence.ShortDebugString(), SequenceOf(kOneTest).ShortDebugString()) << assignment;
}

TEST(SetFieldTest, SetsValuesOfEveryType) {
  TestSequence expected = SequenceOf(kOneTest);
  auto& test = *expected.mutable_tests(0);
  test.set_seed(18446744073709551615u);
  ExpectSame("tests[0].seed=18446744073709551615", expected);
  test.clear_seed();
  test.set_name("a = 'b' \"c\" \\ [d].e");
  ExpectSame("tests[0].name=a = 'b' \"c\" \\ [d].e", expected);
  test.clear_name();
  test.set_delay_actions_by_spinning(true);
  ExpectSame("tests[0].delay_actions_by_spinning=true", expected);
  test.clear_delay_actions_by_spinning();
  (*test.mutable_action_lists(0)->mutable_predicate_probabilities())["p"] = 0.25;
  ExpectSame("tests[0].action_lists[0].predicate_probabilities[p]=0.25", expected);
}

TEST(SetFieldTest, MakesMissingMessages) {
  TestSequence expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(0)->mutable_iterations()->set_max_duration_us(5);
  ExpectSame("tests[0].actions[0].iterations.max_duration_us=5", expected);
  ExpectSame("tests[0].actions[0].iterations={max_duration_us: 5}", expected);
}

TEST(SetFieldTest, AnIndexMayBeLeftOutWhereThereIsOneElement) {
  TestSequence expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_rpc_descriptions(0)->set_fanout_filter("random");
  ExpectSame("tests.rpc_descriptions.fanout_filter=random", expected);
  ExpectSame("rpc_descriptions.fanout_filter=random", expected);
  ExpectError("actions.rpc_name=x", "tests[0].actions: has 2 elements; say which, as actions[0]");
  ExpectError("services.count=2", "tests[0].services: is an empty list");
}

TEST(SetFieldTest, ElementsAreAddressedByName) {
  TestSequence expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(1)->set_rpc_name("r");
  ExpectSame("tests.actions[b].rpc_name=r", expected);
  ExpectError("actions[run].rpc_name=r", "tests[0].actions[run]: there is no 'run' (known: a, b)");
}

TEST(SetFieldTest, MapsAreAddressedByKeyAndGrow) {
  TestSequence expected = SequenceOf(kOneTest);
  (*expected.mutable_tests(0)->mutable_attributes())["k"] = "w";
  ExpectSame("attributes[k]=w", expected);
  expected = SequenceOf(kOneTest);
  (*expected.mutable_tests(0)->mutable_node_service_bundles())["node1"].add_services("s/0");
  ExpectSame("node_service_bundles[node1].services=s/0", expected);
  TestSequence sequence = SequenceOf(kOneTest);
  ASSERT_TRUE(SetField("attributes[test.timeout=s]=60", &sequence).ok());
  EXPECT_EQ(sequence.tests(0).attributes().at("test.timeout=s"), "60");
  EXPECT_EQ(sequence.tests(0).attributes().at("k"), "v");
  ExpectError("attributes=x", "tests[0].attributes: needs a key, as attributes[key]");
}

TEST(SetFieldTest, ListsOfValuesAreSetAndGrowByOne) {
  TestSequence expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(1)->set_dependencies(0, "z");
  ExpectSame("actions[b].dependencies[0]=z", expected);
  expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(1)->add_dependencies("z");
  ExpectSame("actions[b].dependencies[2]=z", expected);
  expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(0)->add_dependencies("z");
  ExpectSame("actions[a].dependencies=z", expected);
  ExpectError("actions[b].dependencies[3]=z",
              "tests[0].actions[b].dependencies[3]: the list has 2 elements, counted from 0");
}

TEST(SetFieldTest, APathWithoutTestAppliesToEveryTest) {
  TestSequence sequence = SequenceOf("tests { } tests { }");
  ASSERT_TRUE(SetField("seed=7", &sequence).ok());
  EXPECT_EQ(sequence.ShortDebugString(), "tests { seed: 7 } tests { seed: 7 }");
  ASSERT_TRUE(SetField("tests[1].seed=8", &sequence).ok());
  ASSERT_TRUE(SetField("tests_setting.keep_instance_log=false", &sequence).ok());
  EXPECT_EQ(sequence.ShortDebugString(),
            "tests { seed: 7 } tests { seed: 8 } tests_setting { keep_instance_log: false }");
  TestSequence empty;
  EXPECT_EQ(SetField("seed=7", &empty).message(), "seed: there is no test to set it in");
}

TEST(SetFieldTest, AnErrorInOneTestChangesNone) {
  TestSequence sequence = SequenceOf("tests { actions { name: 'a' } } tests { }");
  EXPECT_FALSE(SetField("actions[a].rpc_name=r", &sequence).ok());
  EXPECT_EQ(sequence.ShortDebugString(), "tests { actions { name: \"a\" } } tests { }");
}

TEST(SetFieldTest, SettingOneOfAlternativesReplacesTheOther) {
  TestSequence expected = SequenceOf(kOneTest);
  expected.mutable_tests(0)->mutable_actions(0)->set_action_list_name("l");
  ExpectSame("actions[a].action_list_name=l", expected);
}

TEST(SetFieldTest, NamesThePartThatDoesNotExist) {
  ExpectError("tests.sed=7",
              "tests.sed: DistributedSystemDescription has no field 'sed' (did you mean 'seed'?)");
  ExpectError("test[0].seed=7",
              "tests[0].test[0]: DistributedSystemDescription has no field 'test' (known: "
              "name, attributes, services, service_constraints, node_service_bundles, "
              "payload_descriptions, rpc_descriptions, activity_configs, actions, "
              "action_lists, default_protocol, protocol_driver_options, distribution_config, "
              "delay_distribution_configs, size_distribution_configs, overload_limits, "
              "rpc_replay_traces, delay_actions_by_spinning, seed, verdict_limits)");
  ExpectError("tests[1].seed=7", "tests[1]: the list has 1 elements, counted from 0");
  ExpectError("tests.seed[0]=7", "tests.seed[0]: 'seed' is no list; leave out [0]");
  ExpectError("tests.seed.x=7", "tests.seed: is a value and has no fields");
  ExpectError(
      "tests.overload_limits=7",
      "tests.overload_limits: is a OverloadLimits; set one of its fields, or {all of them}");
}

TEST(SetFieldTest, NamesTheValueThatDoesNotFit) {
  ExpectError("tests.seed=-1", "tests.seed: cannot be '-1': Expected integer, got: -");
  for (const char* assignment :
       {"seed=x", "seed=", "seed=1 2", "seed=1 name: 'x'", "delay_actions_by_spinning=yes",
        "actions[a].iterations.max_duration_us=3000000000", "overload_limits={max_threads: 1",
        "overload_limits={bogus: 1}"}) {
    TestSequence sequence = SequenceOf(kOneTest);
    EXPECT_THAT(SetField(assignment, &sequence).message(), HasSubstr("cannot be")) << assignment;
  }
}

TEST(SetFieldTest, RefusesMalformedPaths) {
  for (const char* assignment : {"", "=", "=1", "seed", "tests[0.seed=1", "tests[0]seed=1",
                                 "tests[0]", "tests..seed=1", ".seed=1", "tests.=1"}) {
    TestSequence sequence = SequenceOf(kOneTest);
    EXPECT_THAT(SetField(assignment, &sequence).message(), HasSubstr("write path=value"))
        << assignment;
  }
}

}  // namespace
}  // namespace distbench
