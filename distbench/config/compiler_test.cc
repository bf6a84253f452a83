// What a plan contains, and how the tests of a sequence stand beside each other.
#include "distbench/config/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::NotNull;

std::shared_ptr<const Plan> PlanOf(const std::string& text) {
  const CompiledText compiled = CompileText(text);
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  EXPECT_THAT(compiled.plan, NotNull());
  return compiled.plan == nullptr ? std::make_shared<Plan>() : compiled.plan;
}

std::vector<std::string> InstanceNames(const Plan& plan) {
  std::vector<std::string> names;
  for (const InstancePlan& instance : plan.instances) names.push_back(instance.name);
  return names;
}

// ids as numbers, to compare
template <typename Index>
std::vector<uint32_t> Values(const std::vector<Index>& indices) {
  std::vector<uint32_t> values;
  for (Index index : indices) values.push_back(index.value());
  return values;
}

constexpr char kThreeTiers[] = R"(
  name: 'tiers' seed: 18446744073709551615
  services { name: 'client' count: 2 }
  services { name: 'grid' x_size: 2 y_size: 2 }
  services { name: 'store' count: 1 }
  payload_descriptions { name: 'tiny' size: 0 attributes: 'a label' }
  payload_descriptions { name: 'huge' size: 2147483647 }
  rpc_descriptions { name: 'ask' client: 'client' server: 'grid' fanout_filter: 'random'
                     request_payload_name: 'tiny' response_payload_name: 'huge' deadline_us: 250 }
  rpc_descriptions { name: 'load' client: ['grid', 'client'] server: 'store' }
  actions { name: 'ask' rpc_name: 'ask' dependencies: 'warm' send_response_when_done: true
            iterations { max_iteration_count: 5 max_iteration_count_64: 5000000000
                         max_duration_us: 7 max_duration_us_64: 3000000000
                         max_parallel_iterations: 9 warmup_iterations: 3 warmup_ns: 4 } }
  actions { name: 'warm' action_list_name: 'inner' }
  actions { name: 'rest' }
  actions { name: 'load' rpc_name: 'load' iterations { max_iteration_count: 2
            open_loop_interval_ns: 1000 open_loop_interval_distribution: 'sync_burst' } }
  action_lists { name: 'client' action_names: ['ask', 'rest', 'warm'] }
  action_lists { name: 'inner' action_names: ['rest', 'load'] }
  action_lists { name: 'ask' action_names: 'load' }
  action_lists { name: 'load' }
)";

TEST(CompileTestTest, InstancesStandInOrderOfServicesAndRank) {
  const auto plan = PlanOf(kThreeTiers);
  EXPECT_THAT(InstanceNames(*plan), ElementsAre("client/0", "client/1", "grid/0/0", "grid/1/0",
                                                "grid/0/1", "grid/1/1", "store/0"));
  const ServicePlan& grid = plan->services[ServiceIndex(1)];
  EXPECT_EQ(grid.first, InstanceIndex(2));
  EXPECT_EQ(grid.count, 4u);
  EXPECT_EQ(grid.dimensions, 2);
  EXPECT_EQ(grid.x_size, 2u);
  EXPECT_EQ(grid.y_size, 2u);
  EXPECT_EQ(grid.z_size, 1u);
  EXPECT_EQ(plan->instances[InstanceIndex(4)].service, ServiceIndex(1));
  EXPECT_EQ(plan->instances[InstanceIndex(4)].rank, 2u);
  EXPECT_EQ(plan->instance_by_name.at("grid/0/1"), InstanceIndex(4));
  EXPECT_EQ(plan->instance_by_name.size(), plan->instances.size());
}

TEST(CompileTestTest, ServicesKnowTheirMainListAndWhomTheyCall) {
  const auto plan = PlanOf(kThreeTiers);
  EXPECT_EQ(plan->services[ServiceIndex(0)].main_list, ListIndex(0));
  EXPECT_EQ(plan->services[ServiceIndex(1)].main_list, std::nullopt);
  EXPECT_THAT(Values(plan->services[ServiceIndex(0)].called), ElementsAre(1, 2));
  EXPECT_THAT(Values(plan->services[ServiceIndex(1)].called), ElementsAre(2));
  EXPECT_THAT(plan->services[ServiceIndex(2)].called, IsEmpty());
}

TEST(CompileTestTest, RpcsAreResolved) {
  const auto plan = PlanOf(kThreeTiers);
  const RpcPlan& ask = plan->rpcs[RpcIndex(0)];
  EXPECT_THAT(Values(ask.clients), ElementsAre(0));
  EXPECT_EQ(ask.server, ServiceIndex(1));
  EXPECT_EQ(ask.server_list, ListIndex(2));
  EXPECT_TRUE(std::holds_alternative<FanoutRandom>(ask.fanout));
  EXPECT_EQ(ask.request.bytes, 0);
  EXPECT_EQ(ask.response.bytes, 2147483647);
  EXPECT_EQ(ask.deadline_ns, 250'000);
  const RpcPlan& load = plan->rpcs[RpcIndex(1)];
  EXPECT_THAT(Values(load.clients), ElementsAre(1, 0));
  EXPECT_TRUE(std::holds_alternative<FanoutAll>(load.fanout));
  EXPECT_EQ(load.request.bytes, 16);
  EXPECT_EQ(load.response.bytes, 32);
  EXPECT_EQ(load.deadline_ns, std::nullopt);
}

TEST(CompileTestTest, ListsHoldActionsInCanonicalOrderWithTheirGraph) {
  const auto plan = PlanOf(kThreeTiers);
  const ActionListPlan& list = plan->lists[ListIndex(0)];
  ASSERT_EQ(list.actions.size(), 3u);
  EXPECT_EQ(list.actions[ActionIndex(0)].name, "rest");
  EXPECT_EQ(list.actions[ActionIndex(1)].name, "warm");
  EXPECT_EQ(list.actions[ActionIndex(2)].name, "ask");
  EXPECT_THAT(Values(list.roots), ElementsAre(0, 1));
  EXPECT_THAT(Values(list.actions[ActionIndex(1)].successors), ElementsAre(2));
  EXPECT_THAT(list.actions[ActionIndex(0)].successors, IsEmpty());
  EXPECT_EQ(list.actions[ActionIndex(2)].dependency_count, 1u);
}

TEST(CompileTestTest, ActionsKnowTheirWork) {
  const auto plan = PlanOf(kThreeTiers);
  const auto& actions = plan->lists[ListIndex(0)].actions;
  EXPECT_TRUE(std::holds_alternative<DoNothing>(actions[ActionIndex(0)].work));
  EXPECT_EQ(std::get<RunList>(actions[ActionIndex(1)].work).list, ListIndex(1));
  EXPECT_EQ(std::get<SendRpc>(actions[ActionIndex(2)].work).rpc, RpcIndex(0));
}

TEST(CompileTestTest, AResponseGoesOutEarlyByMarkOrAsTheOnlyAction) {
  const auto plan = PlanOf(kThreeTiers);
  const ActionListPlan& marked = plan->lists[ListIndex(0)];
  EXPECT_EQ(marked.answering_actions, 1);
  EXPECT_TRUE(marked.actions[ActionIndex(2)].sends_response);
  EXPECT_FALSE(marked.actions[ActionIndex(0)].sends_response);
  EXPECT_EQ(plan->lists[ListIndex(1)].answering_actions, 0);
  EXPECT_EQ(plan->lists[ListIndex(2)].answering_actions, 1);
  EXPECT_TRUE(plan->lists[ListIndex(2)].actions[ActionIndex(0)].sends_response);
  EXPECT_EQ(plan->lists[ListIndex(3)].answering_actions, 0);
}

TEST(CompileTestTest, AListThatLimitsItsSamplesSaysTheirNumber) {
  const std::string text = absl::StrReplaceAll(
      ClientServerWith(""),
      {{"{ name: 'client' action", "{ name: 'client' max_rpc_samples: 9 action"},
       {"{ name: 'query' }", "{ name: 'query' max_rpc_samples: 0 }"}});
  const auto plan = PlanOf(text);
  EXPECT_EQ(plan->lists[ListIndex(0)].max_rpc_samples, 9);
  EXPECT_EQ(plan->lists[ListIndex(1)].max_rpc_samples, std::nullopt);
}

TEST(CompileTestTest, IterationsAreInNanosecondsAndThe64BitFormWins) {
  const auto plan = PlanOf(kThreeTiers);
  const IterationPlan& closed = *plan->lists[ListIndex(0)].actions[ActionIndex(2)].iterations;
  EXPECT_EQ(closed.max_count, 5'000'000'000);
  EXPECT_EQ(closed.max_duration_ns, 3'000'000'000'000);
  EXPECT_FALSE(closed.open_loop.has_value());
  EXPECT_EQ(closed.max_parallel, 9);
  EXPECT_EQ(closed.warmup_iterations, 3);
  EXPECT_EQ(closed.warmup_ns, 4);
  const IterationPlan& open = *plan->lists[ListIndex(2)].actions[ActionIndex(0)].iterations;
  EXPECT_EQ(open.max_count, 2);
  EXPECT_EQ(open.max_duration_ns, std::nullopt);
  ASSERT_TRUE(open.open_loop.has_value());
  EXPECT_EQ(open.open_loop->interval_ns, 1000);
  EXPECT_EQ(open.open_loop->arrivals, Arrivals::kSyncBurst);
  EXPECT_EQ(open.open_loop->pacing, Pacing::kSleep);
  EXPECT_FALSE(plan->lists[ListIndex(0)].actions[ActionIndex(0)].iterations.has_value());
}

TEST(CompileTestTest, ArrivalsAreThoseAskedFor) {
  const std::pair<const char*, Arrivals> kNamed[] = {
      {"", Arrivals::kConstant},
      {"open_loop_interval_distribution: 'constant'", Arrivals::kConstant},
      {"open_loop_interval_distribution: 'exponential'", Arrivals::kExponential},
      {"open_loop_interval_distribution: 'sync_burst'", Arrivals::kSyncBurst}};
  for (const auto& [field, arrivals] : kNamed) {
    const auto plan = PlanOf(absl::StrCat(R"(
        services { name: 'client' count: 2 }
        rpc_descriptions { name: 'ask' client: 'client' server: 'client' }
        actions { name: 'ask' rpc_name: 'ask'
                  iterations { max_iteration_count: 2 open_loop_interval_ns: 1000 )",
                                          field, R"( } }
        action_lists { name: 'client' action_names: 'ask' }
        action_lists { name: 'ask' })"));
    const auto& action = plan->lists[ListIndex(0)].actions[ActionIndex(0)];
    EXPECT_EQ(action.iterations->open_loop->arrivals, arrivals) << field;
  }
}

TEST(CompileTestTest, ServicesKnowHowTheOpenLoopsOfAllTheirListsArePaced) {
  const auto plan = PlanOf(R"(
    services { name: 'client' count: 1 }
    services { name: 'middle' count: 1 }
    services { name: 'store' count: 1 }
    rpc_descriptions { name: 'ask' client: 'client' server: 'middle' }
    rpc_descriptions { name: 'load' client: 'middle' server: 'store' }
    actions { name: 'ask' rpc_name: 'ask' iterations { max_iteration_count: 2
              open_loop_interval_ns: 1000 pacing: 'spin' } }
    actions { name: 'ask again' rpc_name: 'ask' iterations { max_iteration_count: 2
              open_loop_interval_ns: 9 pacing: 'spin' } }
    actions { name: 'idle' action_list_name: 'empty' iterations { max_iteration_count: 2
              open_loop_interval_ns: 9 } }
    actions { name: 'load' rpc_name: 'load' iterations { max_iteration_count: 2
              open_loop_interval_ns: 1000 pacing: 'hybrid' } }
    action_lists { name: 'client' action_names: ['ask', 'ask again', 'inner'] }
    actions { name: 'inner' action_list_name: 'inner' }
    action_lists { name: 'inner' action_names: 'idle' }
    action_lists { name: 'empty' }
    action_lists { name: 'ask' action_names: 'load' }
    action_lists { name: 'load' }
  )");
  EXPECT_THAT(plan->services[ServiceIndex(0)].pacings, ElementsAre(Pacing::kSleep, Pacing::kSpin));
  EXPECT_THAT(plan->services[ServiceIndex(1)].pacings, ElementsAre(Pacing::kHybrid));
  EXPECT_THAT(plan->services[ServiceIndex(2)].pacings, IsEmpty());
  EXPECT_EQ(plan->lists[ListIndex(3)].actions[ActionIndex(0)].iterations->open_loop->pacing,
            Pacing::kHybrid);
}

TEST(CompileTestTest, SettingsOfTheTestHaveTheirDefaults) {
  const auto plan = PlanOf(kThreeTiers);
  EXPECT_EQ(plan->test_name, "tiers");
  EXPECT_EQ(plan->seed, 18446744073709551615u);
  EXPECT_EQ(plan->max_pending_rpcs, 1'000'000);
  EXPECT_EQ(plan->max_threads, 1000);
  const auto other = PlanOf("overload_limits { max_threads: 7 max_pending_rpcs: 8 }");
  EXPECT_EQ(other->seed, std::nullopt);
  EXPECT_EQ(other->max_threads, 7);
  EXPECT_EQ(other->max_pending_rpcs, 8);
}

TEST(CompileTestTest, FixedPlacementOfKnownInstancesIsAccepted) {
  const auto plan = PlanOf(ClientServerWith(R"(
    node_service_bundles { key: 'node0' value { services: ['server/1', 'client/0'] } }
    node_service_bundles { key: 'node10' value { } })"));
  EXPECT_NE(plan, nullptr);
}

TEST(CompileTestTest, AServiceWithoutOptionsSpeaksTheDefaultProtocol) {
  const auto plan = PlanOf("services { name: 's' } action_lists { name: 's' }");
  const ServicePlan& service = plan->services[ServiceIndex(0)];
  EXPECT_EQ(service.protocol, "grpc");
  EXPECT_EQ(service.driver_options->ShortDebugString(), "protocol_name: \"grpc\"");
  EXPECT_EQ(PlanOf("default_protocol: 'fake' services { name: 's' } action_lists { name: 's' }")
                ->services[ServiceIndex(0)]
                .protocol,
            "fake");
}

TEST(CompileTestTest, AliasesMergeTheirSettingsAndTheNearestWins) {
  const auto plan = PlanOf(R"(
    services { name: 'near' protocol_driver_options_name: 'near' }
    services { name: 'plain' }
    services { name: 'same' protocol_driver_options_name: 'near' }
    protocol_driver_options { name: 'far' protocol_name: 'fake' ip_version: 6 netdev_name: 'eth1'
        server_settings { name: 'a' int64_value: 1 } server_settings { name: 'b' int64_value: 2 } }
    protocol_driver_options { name: 'middle' protocol_name: 'far' netdev_name: 'eth0'
        client_settings { name: 'a' int64_value: 3 } }
    protocol_driver_options { name: 'near' protocol_name: 'middle'
        server_settings { name: 'b' string_value: 'x' } }
    protocol_driver_options { name: 'default_protocol_driver_options' ip_version: 4 }
    action_lists { name: 'near' } action_lists { name: 'plain' } action_lists { name: 'same' }
  )");
  const ServicePlan& near = plan->services[ServiceIndex(0)];
  EXPECT_EQ(near.protocol, "fake");
  EXPECT_EQ(near.driver_options->ShortDebugString(),
            "name: \"near\" protocol_name: \"fake\" netdev_name: \"eth0\" "
            "server_settings { name: \"b\" string_value: \"x\" } "
            "server_settings { name: \"a\" int64_value: 1 } "
            "client_settings { name: \"a\" int64_value: 3 } ip_version: 6");
  const ServicePlan& plain = plan->services[ServiceIndex(1)];
  EXPECT_EQ(plain.protocol, "grpc");
  EXPECT_EQ(plain.driver_options->ip_version(), 4);
  EXPECT_EQ(plan->services[ServiceIndex(2)].driver_options, near.driver_options);
}

TEST(CompileTestTest, FourAliasesReachADriver) {
  const auto plan = PlanOf(R"(
    services { name: 's' protocol_driver_options_name: 'e0' } action_lists { name: 's' }
    protocol_driver_options { name: 'e0' protocol_name: 'e1' }
    protocol_driver_options { name: 'e1' protocol_name: 'e2' }
    protocol_driver_options { name: 'e2' protocol_name: 'e3' }
    protocol_driver_options { name: 'e3' protocol_name: 'e4' }
    protocol_driver_options { name: 'e4' protocol_name: 'fake' })");
  EXPECT_EQ(plan->services[ServiceIndex(0)].protocol, "fake");
}

TEST(CompileTestTest, FiveAliasesAreTooMany) {
  EXPECT_THAT(CompileText(R"(
    services { name: 's' protocol_driver_options_name: 'e0' } action_lists { name: 's' }
    protocol_driver_options { name: 'e0' protocol_name: 'e1' }
    protocol_driver_options { name: 'e1' protocol_name: 'e2' }
    protocol_driver_options { name: 'e2' protocol_name: 'e3' }
    protocol_driver_options { name: 'e3' protocol_name: 'e4' }
    protocol_driver_options { name: 'e4' protocol_name: 'e5' }
    protocol_driver_options { name: 'e5' protocol_name: 'fake' })")
                  .Lines(),
              ElementsAre("error protocol_driver_options[0].protocol_name: 'e0' -> 'e1' -> 'e2' -> "
                          "'e3' -> 'e4' -> 'e5' reaches no driver within 4 aliases; name a "
                          "driver"));
}

TEST(CompileTestTest, AnEmptyTestIsValid) {
  const auto plan = PlanOf("");
  EXPECT_TRUE(plan->services.empty());
}

TEST(TestTimeoutSecondsTest, IsTheAttributeOrAnHour) {
  EXPECT_EQ(*TestTimeoutSeconds(ParseTest("")), 3600);
  EXPECT_EQ(*TestTimeoutSeconds(ParseTest("attributes { key: 'test_timeout' value: '0.5' }")), 0.5);
  EXPECT_TRUE(absl::IsInvalidArgument(
      TestTimeoutSeconds(ParseTest("attributes { key: 'test_timeout' value: '-1' }")).status()));
}

TestSequence SequenceOf(const std::vector<std::string>& tests) {
  TestSequence sequence;
  for (const std::string& test : tests) *sequence.add_tests() = ParseTest(test);
  return sequence;
}

TEST(CompileSequenceTest, AnEmptySequenceIsValid) {
  TestSequence sequence;
  Diagnostics diagnostics;
  EXPECT_THAT(CompileSequence(&sequence, DriversForTest(), &diagnostics), IsEmpty());
  EXPECT_THAT(diagnostics.all(), IsEmpty());
}

TEST(CompileSequenceTest, ReportsAllTestsAndKeepsThePlansOfTheRightOnes) {
  TestSequence sequence = SequenceOf(
      {"name: 'a' default_protocol: 'x'", "name: 'b'", "name: 'c' services { count: 1 name: '' }"});
  Diagnostics diagnostics;
  const auto tests = CompileSequence(&sequence, DriversForTest(), &diagnostics);
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_THAT(tests[0].plan, IsNull());
  EXPECT_THAT(tests[1].plan, NotNull());
  EXPECT_THAT(tests[2].plan, IsNull());
  EXPECT_EQ(diagnostics.all()[0].test_name, "a");
  EXPECT_EQ(diagnostics.all()[0].field_path, "default_protocol");
  EXPECT_EQ(diagnostics.all()[1].test_name, "c");
}

TEST(CompileSequenceTest, LeavesTheCanonicalFormBehind) {
  TestSequence sequence = SequenceOf({"services { name: 's' count: 2 }"});
  Diagnostics diagnostics;
  CompileSequence(&sequence, DriversForTest(), &diagnostics);
  EXPECT_EQ(sequence.tests(0).services(0).x_size(), 2);
}

TEST(CompileSequenceTest, PathsSayWhichTestItIsWhereNamesDoNot) {
  TestSequence sequence = SequenceOf({"name: 'a' default_protocol: 'x'",
                                      "name: 'a' default_protocol: 'x'", "default_protocol: 'x'"});
  Diagnostics diagnostics;
  CompileSequence(&sequence, DriversForTest(), &diagnostics);
  std::vector<std::string> paths;
  for (const Diagnostic& diagnostic : diagnostics.all()) paths.push_back(diagnostic.field_path);
  EXPECT_THAT(paths, ElementsAre("tests[0].name", "tests[0].default_protocol", "tests[1].name",
                                 "tests[1].default_protocol", "tests[2].default_protocol"));
  EXPECT_EQ(diagnostics.all()[0].severity, Diagnostic::Severity::kWarning);
}

}  // namespace
}  // namespace distbench
