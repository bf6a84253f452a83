// Fields that are refused until the program acts on them. Supporting one moves its case elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UnsupportedTest, ArrivalsThatAreNotSupportedYet) {
  ExpectLines({{"max_iteration_count: 10",
                "max_iteration_count: 10 open_loop_interval_ns: 5 "
                "open_loop_interval_distribution: 'sync_burst_spread'",
                {"unsupported actions[0].iterations.open_loop_interval_distribution: "
                 "'sync_burst_spread' is not supported yet; use constant, exponential or "
                 "sync_burst"}}});
}

TEST(UnsupportedTest, FieldsThatAreNotSupportedYet) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"activity_configs { name: 'x' }",
       "activity_configs: 1 given: activities are not supported yet; leave activity_configs out"},
      {"distribution_config { } distribution_config { }",
       "distribution_config: 2 given: distributions of sizes are not supported yet; leave "
       "distribution_config out"},
      {"delay_distribution_configs { }",
       "delay_distribution_configs: 1 given: delays are not supported yet; leave "
       "delay_distribution_configs out"},
      {"size_distribution_configs { }",
       "size_distribution_configs: 1 given: distributions of sizes are not supported yet; leave "
       "size_distribution_configs out"},
      {"rpc_replay_traces { }",
       "rpc_replay_traces: 1 given: replay is not supported yet; leave rpc_replay_traces out"},
      {"delay_actions_by_spinning: true",
       "delay_actions_by_spinning: true: delays are not supported yet; leave "
       "delay_actions_by_spinning out"},
  };
  for (const auto& [text, message] : cases) {
    ExpectLines({{"", text, {absl::StrCat("unsupported ", message)}}});
  }
}

TEST(UnsupportedTest, FieldsOfPartsThatAreNotSupportedYet) {
  const std::string service = "name: 'client' count: 1";
  const std::string rpc = "client: 'client'";
  const std::string action = "rpc_name: 'query'";
  const std::string list = "action_names: 'run'";
  const auto unsupported = [](const std::string& part, const std::string& more,
                              const std::string& line) {
    ExpectLines({{part, absl::StrCat(part, " ", more), {absl::StrCat("unsupported ", line)}}});
  };
  unsupported(service, "multi_server_channels { }",
              "services[0].multi_server_channels: 1 given: multi-server channels are not supported "
              "yet; leave multi_server_channels out");
  unsupported(rpc, "tracing_interval: 7",
              "rpc_descriptions[0].tracing_interval: 7: tracing is not supported yet; leave "
              "tracing_interval out");
  unsupported(rpc, "distribution_config_name: 'd'",
              "rpc_descriptions[0].distribution_config_name: 'd': distributions of sizes are not "
              "supported yet; leave distribution_config_name out");
  unsupported(rpc, "multi_server_channel_name: 'm'",
              "rpc_descriptions[0].multi_server_channel_name: 'm': multi-server channels are not "
              "supported yet; leave multi_server_channel_name out");
  unsupported(action, "delay_distribution_name: 'd'",
              "actions[0].delay_distribution_name: 'd': delays are not supported yet; leave "
              "delay_distribution_name out");
  unsupported(action, "cancel_traffic_when_done: true",
              "actions[0].cancel_traffic_when_done: true: cancelling traffic by an action is not "
              "supported yet; leave cancel_traffic_when_done out");
  unsupported(action, "predicates: 'p'",
              "actions[0].predicates: 1 given: predicates are not supported yet; leave predicates "
              "out");
  unsupported(action, "request_payload_override: 'p'",
              "actions[0].request_payload_override: 'p': overriding the size of a request is not "
              "supported yet; leave request_payload_override out");
  unsupported(action, "response_payload_override: 'p'",
              "actions[0].response_payload_override: 'p': overriding the size of a response is not "
              "supported yet; leave response_payload_override out");
  unsupported(list, "predicate_probabilities { key: 'p' value: 1 }",
              "action_lists[0].predicate_probabilities: 1 given: predicates are not supported yet; "
              "leave predicate_probabilities out");
  unsupported(
      list, "delay_actions_by_spinning: true",
      "action_lists[0].delay_actions_by_spinning: true: delays are not supported yet; leave "
      "delay_actions_by_spinning out");
}

TEST(UnsupportedTest, WorkThatIsNotSupportedYet) {
  for (const char* field : {"activity_config_name", "rpc_replay_trace_name"}) {
    const CompiledText compiled = CompileText(
        absl::StrCat("services { name: 's' } action_lists { name: 's' action_names: 'a' "
                     "} actions { name: 'a' ",
                     field, ": 'x' }"));
    ASSERT_EQ(compiled.diagnostics.size(), 1u);
    EXPECT_EQ(compiled.diagnostics[0].code, absl::StatusCode::kUnimplemented);
    EXPECT_EQ(compiled.diagnostics[0].field_path, absl::StrCat("actions[0].", field));
  }
  EXPECT_THAT(CompileText("payload_descriptions { name: 'p' size_distribution_name: 'd' }").Lines(),
              ElementsAre("unsupported payload_descriptions[0].size_distribution_name: 'd': "
                          "distributions of sizes are not supported yet; leave "
                          "size_distribution_name out",
                          "warning payload_descriptions[0]: nothing uses the payload 'p'"));
}

TEST(UnsupportedTest, FieldsThatAreSetToNothingAskForNothing) {
  const std::string text = absl::StrReplaceAll(
      ClientServerWith("delay_actions_by_spinning: false"),
      {{"action_names: 'run'",
        "action_names: 'run' max_rpc_samples: 0 "
        "delay_actions_by_spinning: false"},
       {"client: 'client'", "client: 'client' tracing_interval: 0 distribution_config_name: ''"},
       {"rpc_name: 'query'", "rpc_name: 'query' cancel_traffic_when_done: false"}});
  EXPECT_THAT(CompileText(text).Lines(), IsEmpty());
}

}  // namespace
}  // namespace distbench
