// What is drawn: distributions, sizes, delays, predicates; and activities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_text.h"
#include "distbench/sampling/distribution.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A test whose client draws the size of its requests from the given distribution.
std::string DrawingFrom(const std::string& distribution) {
  return absl::StrCat(R"(
    services { name: 'client' count: 1 }
    services { name: 'server' count: 1 }
    rpc_descriptions { name: 'query' client: 'client' server: 'server' request_payload_name: 'p' }
    payload_descriptions { name: 'p' size_distribution_name: 'd' }
    actions { name: 'run' rpc_name: 'query' iterations { max_iteration_count: 10 } }
    action_lists { name: 'client' action_names: 'run' }
    action_lists { name: 'query' }
    size_distribution_configs { name: 'd' )",
                      distribution, " }");
}

std::vector<std::string> ErrorsOf(const std::string& distribution) {
  std::vector<std::string> lines = CompileText(DrawingFrom(distribution)).Lines();
  for (std::string& line : lines) {
    const std::string prefix = "error size_distribution_configs[0].";
    if (line.compare(0, prefix.size(), prefix) == 0) line = line.substr(prefix.size());
  }
  return lines;
}

TEST(CompileDistributionTest, WeightedPointsAreTakenAsTheyAre) {
  const CompiledText compiled = CompileText(
      DrawingFrom("field_names: 'payload_size' pmf_points { pmf: 0.25 data_points { exact: 7 } } "
                  "pmf_points { pmf: 0.75 data_points { lower: 10 upper: 20 } }"));
  ASSERT_THAT(compiled.Lines(), IsEmpty());
  const Distribution& drawn = *compiled.plan->rpcs[RpcIndex(0)].request.drawn;
  EXPECT_EQ(drawn.dimensions(), 1u);
  EXPECT_EQ(drawn.Min(0), 7);
  EXPECT_EQ(drawn.Max(0), 20);
  EXPECT_DOUBLE_EQ(drawn.Mean(0), 0.25 * 7 + 0.75 * 15);
}

TEST(CompileDistributionTest, ACumulativeFunctionThatBeginsAboveZeroIsOfExactValues) {
  const CompiledText compiled = CompileText(
      DrawingFrom("field_names: 'payload_size' cdf_points { cdf: 0.25 value: 4 } "
                  "cdf_points { cdf: 0.25 value: 5 } cdf_points { cdf: 1 value: 100 }"));
  ASSERT_THAT(compiled.Lines(), IsEmpty());
  const Distribution& drawn = *compiled.plan->rpcs[RpcIndex(0)].request.drawn;
  EXPECT_DOUBLE_EQ(drawn.Mean(0), 0.25 * 4 + 0.75 * 100);
  CounterRandom random({1});
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = drawn.Draw(random)[0];
    EXPECT_TRUE(value == 4 || value == 100) << value;
  }
}

TEST(CompileDistributionTest, ACumulativeFunctionThatBeginsAtZeroIsUniformBetweenItsPoints) {
  const CompiledText compiled =
      CompileText(DrawingFrom("field_names: 'payload_size' cdf_points { cdf: 0 value: 10 } "
                              "cdf_points { cdf: 0.5 value: 13 } cdf_points { cdf: 1 value: 15 }"));
  ASSERT_THAT(compiled.Lines(), IsEmpty());
  // Half from 10 to 13, half from 14 to 15.
  const Distribution& drawn = *compiled.plan->rpcs[RpcIndex(0)].request.drawn;
  EXPECT_DOUBLE_EQ(drawn.Mean(0), 0.5 * 11.5 + 0.5 * 14.5);
  EXPECT_EQ(drawn.Min(0), 10);
  EXPECT_EQ(drawn.Max(0), 15);
}

TEST(CompileDistributionTest, DimensionsAreRequestThenResponseInWhateverOrderTheyAreGiven) {
  for (const bool response_first : {false, true}) {
    const std::string request = "field_names: 'request_payload_size' ";
    const std::string response = "field_names: 'response_payload_size' ";
    const std::string text = absl::StrCat(
        R"(
        services { name: 'client' count: 1 }
        services { name: 'server' count: 1 }
        rpc_descriptions { name: 'query' client: 'client' server: 'server'
                           distribution_config_name: 'd' }
        actions { name: 'run' rpc_name: 'query' }
        action_lists { name: 'client' action_names: 'run' }
        action_lists { name: 'query' }
        distribution_config { name: 'd' )",
        response_first ? response + request : request + response,
        response_first
            ? "pmf_points { pmf: 1 data_points { exact: 2 } data_points { exact: 1 } } }"
            : "pmf_points { pmf: 1 data_points { exact: 1 } data_points { exact: 2 } } }");
    const CompiledText compiled = CompileText(text);
    ASSERT_THAT(compiled.Lines(), IsEmpty());
    const Distribution& drawn = *compiled.plan->rpcs[RpcIndex(0)].joint_sizes;
    EXPECT_EQ(drawn.dimensions(), 2u);
    EXPECT_EQ(drawn.Max(0), 1);
    EXPECT_EQ(drawn.Max(1), 2);
  }
}

TEST(CompileDistributionTest, WhatIsWrongIsSaidOfTheField) {
  const std::string names = "field_names: 'payload_size' ";
  EXPECT_THAT(ErrorsOf("cdf_points { cdf: 1 value: 1 }"),
              ElementsAre("field_names: [] does not say what is drawn; set [payload_size]"));
  EXPECT_THAT(ErrorsOf("field_names: 'size' cdf_points { cdf: 1 value: 1 }"),
              ElementsAre("field_names: [size] does not say what is drawn; set [payload_size]"));
  EXPECT_THAT(ErrorsOf(names), ElementsAre("pmf_points: the distribution has no points; give "
                                           "pmf_points or cdf_points"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 1 data_points { exact: 1 } } "
                               "cdf_points { cdf: 1 value: 1 }"),
              ElementsAre("cdf_points: pmf_points are given too; a distribution has one or the "
                          "other"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 0.5 data_points { exact: 1 } } "
                               "pmf_points { pmf: 0.4 data_points { exact: 2 } }"),
              ElementsAre("pmf_points: the probabilities add to 0.9; they must add to 1"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { data_points { exact: 1 } } "
                               "pmf_points { pmf: 1 data_points { exact: -1 } }"),
              ElementsAre("pmf_points[0].pmf: the point has no probability; set pmf",
                          "pmf_points[1].data_points[0].exact: -1 is out of range; set 0 to "
                          "2147483647 bytes"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 1 data_points { exact: 1 } "
                               "data_points { exact: 1 } }"),
              ElementsAre("pmf_points[0].data_points: 2 given; there must be one for each of the 1 "
                          "field_names"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 1 data_points { lower: 5 upper: 4 } }"),
              ElementsAre("pmf_points[0].data_points[0]: lower 5 is above upper 4; exchange them"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 1 data_points { lower: 5 } }"),
              ElementsAre("pmf_points[0].data_points[0]: has no value; set exact, or lower and "
                          "upper"));
  EXPECT_THAT(ErrorsOf(names + "pmf_points { pmf: 1 data_points { exact: 5 upper: 6 } }"),
              ElementsAre("pmf_points[0].data_points[0]: has exact, and lower or upper too; set "
                          "exact, or the other two"));
  EXPECT_THAT(ErrorsOf(names + "cdf_points { cdf: 0.5 value: 5 } cdf_points { cdf: 0.4 value: 5 } "
                               "cdf_points { cdf: 0.9 value: 8 }"),
              ElementsAre("cdf_points[1].value: 5 comes after 5; values must increase from point "
                          "to point",
                          "cdf_points[1].cdf: 0.4 comes after 0.5; a cumulative probability never "
                          "falls",
                          "cdf_points[2].cdf: 0.9 is the last one; it must be 1"));
  EXPECT_THAT(ErrorsOf(names + "cdf_points { cdf: 1 }"),
              ElementsAre("cdf_points[0]: is not complete; set cdf and value"));
}

TEST(CompileDistributionTest, NamesAreResolved) {
  ExpectLines({
      {"client: 'client'",
       "client: 'client' distribution_config_name: 'd'",
       {"error rpc_descriptions[0].distribution_config_name: there is no distribution 'd'"}},
      {"rpc_name: 'query'",
       "rpc_name: 'query' delay_distribution_name: 'd'",
       {"error actions[0].delay_distribution_name: there is no distribution of delays 'd'"}},
      {"rpc_name: 'query'",
       "rpc_name: 'query' request_payload_override: 'd' response_payload_override: 'e'",
       {"error actions[0].request_payload_override: there is no payload 'd'",
        "error actions[0].response_payload_override: there is no payload 'e'"}},
      {"",
       "payload_descriptions { name: 'p' size: 1 size_distribution_name: 'd' }",
       {"error payload_descriptions[0].size_distribution_name: there is no distribution of sizes "
        "'d'",
        "error payload_descriptions[0].size_distribution_name: payload 'p' has a size too; remove "
        "one of them",
        "warning payload_descriptions[0]: nothing uses the payload 'p'"}},
  });
}

TEST(CompilePredicatesTest, AConditionIsWhatMustAndMustNotHold) {
  const CompiledText compiled = CompileText(R"(
    services { name: 's' }
    action_lists { name: 's' action_names: 'both' action_names: 'neither' action_names: 'any'
                   predicate_probabilities { key: 'b' value: 0.5 }
                   predicate_probabilities { key: 'a' value: 0.25 } }
    actions { name: 'both' predicates: 'a' predicates: '!b' }
    actions { name: 'neither' predicates: '!b' predicates: '!a' }
    actions { name: 'any' })");
  ASSERT_THAT(compiled.Lines(), IsEmpty());
  const ActionListPlan& list = compiled.plan->lists[ListIndex(0)];
  EXPECT_THAT(list.predicates, ElementsAre(0.25, 0.5));
  const auto& actions = list.actions;
  for (const uint64_t held : {0, 1, 2, 3}) {
    EXPECT_EQ(actions[ActionIndex(0)].condition.is_met_by(held), held == 1);
    EXPECT_EQ(actions[ActionIndex(1)].condition.is_met_by(held), held == 0);
    EXPECT_TRUE(actions[ActionIndex(2)].condition.is_met_by(held));
  }
}

TEST(CompilePredicatesTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(
      CompileText(ClientServerWith("actions { name: 'p' predicates: 'lukky' } "
                                   "action_lists { name: 'server' action_names: 'p' "
                                   "predicate_probabilities { key: 'lucky' value: 1.5 } }"))
          .Lines(),
      ElementsAre(
          "error action_lists[2].predicate_probabilities[lucky]: 1.5 is no probability; set "
          "0 to 1",
          "error actions[1].predicates[0]: list 'server' has no predicate 'lukky'; add it "
          "to predicate_probabilities or predicate_choices (did you mean 'lucky'?)",
          "warning action_lists[2].predicate_probabilities[lucky]: no action of list "
          "'server' has the predicate 'lucky'"));
  EXPECT_THAT(CompileText(ClientServerWith("actions { name: 'p' predicates: 'a' predicates: '!a' } "
                                           "action_lists { name: 'server' action_names: 'p' "
                                           "predicate_probabilities { key: 'a' value: 0.5 } }"))
                  .Lines(),
              ElementsAre("warning actions[1].predicates: a predicate and its complement are both "
                          "asked for, so 'p' never runs"));
  EXPECT_THAT(
      CompileText(ClientServerWith("action_lists { name: 'server' "
                                   "predicate_probabilities { key: '!a' value: 0.5 } }"))
          .Lines(),
      testing::Contains("error action_lists[2].predicate_probabilities[!a]: '!a' is no name of a "
                        "predicate; it must not be empty nor begin with '!', which stands for the "
                        "complement"));
}

// A server's list with these fields and one action that has these predicates.
CompiledText CompileChoices(const std::string& list, const std::string& predicates) {
  return CompileText(
      ClientServerWith(absl::StrCat("action_lists { name: 'server' action_names: 'p' ", list,
                                    " } actions { name: 'p' ", predicates, " }")));
}

TEST(CompilePredicatesTest, ChoicesHaveTheirShares) {
  const CompiledText compiled = CompileText(R"(
    services { name: 's' }
    action_lists { name: 's' action_names: 'any'
                   predicate_probabilities { key: 'single' value: 0.5 }
                   predicate_choices { alternatives { predicate: 'z' weight: 3 }
                                       alternatives { predicate: 'y' } }
                   predicate_choices { alternatives { predicate: 'x' weight: 0 }
                                       alternatives { predicate: 'w' weight: 7 } } }
    actions { name: 'any' predicates: 'single' predicates: 'z' predicates: '!y' predicates: 'w'
              predicates: '!x' })");
  ASSERT_THAT(compiled.Lines(), IsEmpty());
  const ActionListPlan& list = compiled.plan->lists[ListIndex(0)];
  EXPECT_THAT(list.predicates, ElementsAre(0.5, 0.75, 0.25, 0, 1));
  EXPECT_EQ(list.single_predicates, 1u);
  ASSERT_EQ(list.choices.size(), 2u);
  EXPECT_EQ(list.choices[0]->Min(0), 1);
  EXPECT_EQ(list.choices[0]->Max(0), 2);
  EXPECT_DOUBLE_EQ(list.choices[0]->Mean(0), 1.25);
  EXPECT_EQ(list.choices[1]->Min(0), 4) << "what has no weight is not drawn";
  EXPECT_EQ(list.actions[ActionIndex(0)].condition.must_hold, 0b10011u);
  EXPECT_EQ(list.actions[ActionIndex(0)].condition.must_not_hold, 0b01100u);
}

TEST(CompilePredicatesTest, WrongChoicesAreRefused) {
  const std::string path = "error action_lists[2].predicate_choices[0].alternatives";
  EXPECT_THAT(CompileChoices("predicate_choices { }", "").Lines(),
              ElementsAre(path + ": there is nothing to choose; add an alternative with a weight "
                                 "above 0"));
  EXPECT_THAT(CompileChoices("predicate_choices { alternatives { predicate: 'a' weight: -1 } "
                             "alternatives { predicate: '!b' weight: nan } }",
                             "predicates: 'a' predicates: '!!b'")
                  .Lines(),
              ElementsAre(path + "[0].weight: -1 is no weight; set 0 to 1e+15",
                          path + "[1].weight: nan is no weight; set 0 to 1e+15",
                          path + "[1].predicate: '!b' is no name of a predicate; it must not be "
                                 "empty nor begin with '!', which stands for the complement"));
  EXPECT_THAT(CompileChoices("predicate_probabilities { key: 'a' value: 0.5 } predicate_choices { "
                             "alternatives { predicate: 'a' } alternatives { predicate: 'b' } "
                             "alternatives { predicate: 'b' } }",
                             "predicates: 'a' predicates: 'b'")
                  .Lines(),
              testing::IsSupersetOf(
                  {path + "[0].predicate: list 'server' has a predicate 'a' already; give this one "
                          "another name",
                   path + "[2].predicate: list 'server' has a predicate 'b' already; give this one "
                          "another name"}));
  std::string many = "predicate_choices { ";
  for (int i = 0; i < 65; ++i) absl::StrAppend(&many, "alternatives { predicate: 'p", i, "' } ");
  EXPECT_THAT(CompileChoices(many + "}", "").Lines(),
              testing::Contains("error action_lists[2]: 65 predicates given; a list may have 64; "
                                "put some of its actions into a list that it runs"));
}

TEST(CompilePredicatesTest, AnAlternativeThatIsCertainSkipsNothing) {
  const auto lines = [](const std::string& alternatives) {
    return CompileText(absl::StrCat(R"(
      services { name: 's' }
      action_lists { name: 's' action_names: 'again' predicate_choices { )",
                                    alternatives, R"( } }
      actions { name: 'again' action_list_name: 's' predicates: 'p' })"))
        .Lines();
  };
  EXPECT_THAT(lines("alternatives { predicate: 'p' }"), testing::SizeIs(1));
  EXPECT_THAT(lines("alternatives { predicate: 'p' weight: 9 } alternatives { predicate: 'q' }"),
              ElementsAre("warning action_lists[0].predicate_choices[0].alternatives[1].predicate: "
                          "no action of list 's' has the predicate 'q'"));
}

// A list that runs itself by an action with the given predicate, which has this probability.
std::vector<std::string> LinesOfRecursion(const std::string& predicate, double probability) {
  return CompileText(absl::StrCat(R"(
    services { name: 's' }
    action_lists { name: 's' action_names: 'again'
                   predicate_probabilities { key: 'p' value: )",
                                  probability, R"( } }
    actions { name: 'again' action_list_name: 's' predicates: ')",
                                  predicate, "' }"))
      .Lines();
}

TEST(CompilePredicatesTest, AListMayReachItselfByAnActionThatMayBeSkipped) {
  EXPECT_THAT(LinesOfRecursion("p", 0.99), IsEmpty());
  EXPECT_THAT(LinesOfRecursion("!p", 0.01), IsEmpty());
  const auto certain = ElementsAre(
      "error action_lists[0]: list 's' reaches itself: 's' -> 'again' -> 's' (lists and their "
      "actions in turn); remove one of the actions, or give it a predicate with a probability "
      "below 1");
  EXPECT_THAT(LinesOfRecursion("p", 1), certain);
  EXPECT_THAT(LinesOfRecursion("!p", 0), certain);
}

TEST(CompileActionsTest, DelaysSpinAsTheListSaysOrElseTheTest) {
  for (const bool test_spins : {false, true}) {
    const CompiledText compiled = CompileText(absl::StrCat(R"(
      services { name: 's' }
      action_lists { name: 's' action_names: 'a' action_names: 'b' action_names: 'c' }
      action_lists { name: 'own' action_names: 'a' delay_actions_by_spinning: true }
      action_lists { name: 'other' action_names: 'a' delay_actions_by_spinning: false }
      actions { name: 'a' delay_distribution_name: 'd' }
      actions { name: 'b' action_list_name: 'own' }
      actions { name: 'c' action_list_name: 'other' }
      delay_distribution_configs { name: 'd' field_names: 'action_delay_ns'
                                   cdf_points { cdf: 1 value: 1000 } }
      delay_actions_by_spinning: )",
                                                           test_spins ? "true" : "false"));
    ASSERT_THAT(compiled.Lines(), IsEmpty());
    const auto spins = [&](uint32_t list) {
      return compiled.plan->lists[ListIndex(list)].actions[ActionIndex(0)].delay_spins;
    };
    EXPECT_EQ(spins(0), test_spins);
    EXPECT_TRUE(spins(1));
    EXPECT_FALSE(spins(2));
  }
}

TEST(CompileActionsTest, AnActionThatEndsTheTrafficBoundsAllIterations) {
  const std::string loop = "max_iteration_count: 10";
  ExpectLines({{loop,
                "max_parallel_iterations: 2",
                {"error actions[0].iterations: nothing ends these iterations; set "
                 "max_iteration_count or max_duration_us, bound the test's time by its attribute "
                 "test_timeout, or end it by an action with cancel_traffic_when_done"}}});
  std::string text = ClientServerWith(
      "actions { name: 'end' cancel_traffic_when_done: true } "
      "action_lists { name: 'server' action_names: 'end' }");
  text.replace(text.find(loop), loop.size(), "");
  EXPECT_THAT(CompileText(text).Lines(), IsEmpty());
}

TEST(CompileActionsTest, AnActionThatDoesNothingDoesSoOnce) {
  const CompiledText compiled = CompileText(
      "services { name: 's' } action_lists { name: 's' action_names: 'a' } "
      "actions { name: 'a' iterations { open_loop_interval_ns: 5 } }");
  EXPECT_THAT(compiled.Lines(),
              ElementsAre("warning actions[0].iterations: has no effect, as this action does "
                          "nothing; it does so once"));
  const auto& actions = compiled.plan->lists[ListIndex(0)].actions;
  EXPECT_FALSE(actions[ActionIndex(0)].iterations.has_value());
}

TEST(CompileActionsTest, AnEndlessActivityIsOnlyWarnedOf) {
  EXPECT_THAT(
      CompileText("services { name: 's' } action_lists { name: 's' action_names: 'a' } "
                  "actions { name: 'a' activity_config_name: 'work' iterations { } } "
                  "activity_configs { name: 'work' activity_settings { name: 'activity_func' "
                  "string_value: 'ConsumeCpu' } }")
          .Lines(),
      ElementsAre("warning actions[0].iterations: nothing ends these iterations; set "
                  "max_iteration_count or max_duration_us, bound the test's time by its attribute "
                  "test_timeout, or end it by an action with cancel_traffic_when_done"));
}

std::vector<std::string> LinesOfActivity(const std::string& settings) {
  return CompileText(absl::StrCat("services { name: 's' } "
                                  "action_lists { name: 's' action_names: 'a' } "
                                  "actions { name: 'a' activity_config_name: 'work' } "
                                  "activity_configs { name: 'work' ",
                                  settings, " }"))
      .Lines();
}

std::string Setting(const std::string& name, const std::string& value) {
  return absl::StrCat("activity_settings { name: '", name, "' ", value, " } ");
}

TEST(CompileActivitiesTest, EachFunctionHasItsSettingsAndDefaults) {
  const auto work_of = [](const std::string& settings) {
    const CompiledText compiled = CompileText(
        absl::StrCat("services { name: 's' } action_lists { name: 's' action_names: 'a' } actions "
                     "{ name: 'a' activity_config_name: 'work' } activity_configs { name: 'work' ",
                     settings, " }"));
    EXPECT_THAT(compiled.Lines(), IsEmpty());
    return compiled.plan->activities[ActivityIndex(0)].work;
  };
  const auto function = [](const std::string& name) {
    return Setting("activity_func", absl::StrCat("string_value: '", name, "'"));
  };
  EXPECT_EQ(std::get<ConsumeCpu>(work_of(function("ConsumeCpu"))).array_size, 1000);
  EXPECT_EQ(std::get<ConsumeCpu>(
                work_of(function("ConsumeCpu") + Setting("array_size", "int64_value: 7")))
                .array_size,
            7);
  const auto data = std::get<PolluteDataCache>(work_of(function("PolluteDataCache")));
  EXPECT_EQ(data.array_size, 2'000'000);
  EXPECT_EQ(data.array_reads_per_iteration, 1000);
  EXPECT_EQ(std::get<PolluteInstructionCache>(work_of(function("PolluteInstructionCache")))
                .function_invocations_per_iteration,
            1000);
  EXPECT_EQ(
      std::get<SleepFor>(work_of(function("SleepFor") + Setting("duration_us", "int64_value: 3")))
          .duration_ns,
      3000);
  EXPECT_EQ(
      std::get<SpinFor>(work_of(function("SpinFor") + Setting("duration_us", "int64_value: 3")))
          .duration_ns,
      3000);
}

TEST(CompileActivitiesTest, CalibratedWorkHasATimeAndAKind) {
  const auto work_of = [](const std::string& kind) {
    const CompiledText compiled = CompileText(absl::StrCat(
        "services { name: 's' } action_lists { name: 's' action_names: 'a' } actions { name: 'a' "
        "activity_config_name: 'work' } activity_configs { name: 'work' ",
        Setting("activity_func", "string_value: 'CalibratedWork'"),
        Setting("duration_us", "int64_value: 250"), kind, " }"));
    EXPECT_THAT(compiled.Lines(), IsEmpty());
    return std::get<CalibratedWork>(compiled.plan->activities[ActivityIndex(0)].work);
  };
  EXPECT_EQ(work_of("").duration_ns, 250'000);
  EXPECT_EQ(work_of("").kind, WorkKind::kCpu);
  EXPECT_EQ(work_of(Setting("kind", "string_value: 'cpu'")).kind, WorkKind::kCpu);
  EXPECT_EQ(work_of(Setting("kind", "string_value: 'memory'")).kind, WorkKind::kMemory);
  EXPECT_THAT(LinesOfActivity(Setting("activity_func", "string_value: 'CalibratedWork'") +
                              Setting("kind", "string_value: 'disk'")),
              ElementsAre("error activity_configs[0].activity_settings: activity 'work' has no "
                          "duration_us; set it, as int64_value, to at least 1",
                          "error activity_configs[0].activity_settings[1]: there is no kind of "
                          "work 'disk'; set, as string_value, cpu or memory"));
}

TEST(CompileActivitiesTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(LinesOfActivity(""),
              ElementsAre("error activity_configs[0].activity_settings: activity 'work' has no "
                          "activity_func; set it, as string_value, to one of "
                          "CalibratedWork, ConsumeCpu, PolluteDataCache, PolluteInstructionCache, "
                          "SleepFor, SpinFor"));
  EXPECT_THAT(LinesOfActivity(Setting("activity_func", "string_value: 'SleepFr'")),
              ElementsAre("error activity_configs[0].activity_settings[0]: there is no activity "
                          "function 'SleepFr' (did you mean 'SleepFor'?)"));
  EXPECT_THAT(LinesOfActivity(Setting("activity_func", "string_value: 'SleepFor'")),
              ElementsAre("error activity_configs[0].activity_settings: activity 'work' has no "
                          "duration_us; set it, as int64_value, to at least 1"));
  EXPECT_THAT(LinesOfActivity(Setting("activity_func", "string_value: 'SpinFor'") +
                              Setting("duration_us", "int64_value: 0")),
              ElementsAre("error activity_configs[0].activity_settings[1]: duration_us 0 is out of "
                          "range; set 1 to 1000000000000000"));
  EXPECT_THAT(LinesOfActivity(Setting("activity_func", "string_value: 'ConsumeCpu'") +
                              Setting("duration_us", "int64_value: 5")),
              ElementsAre("error activity_configs[0].activity_settings[1]: this activity has no "
                          "setting 'duration_us' (known: array_size, activity_func)"));
}

}  // namespace
}  // namespace distbench
