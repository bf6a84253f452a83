// Fields that are refused until the program acts on them. Supporting one moves its case elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"

namespace distbench {
namespace {

using ::testing::IsEmpty;

TEST(UnsupportedTest, FieldsThatAreNotSupportedYet) {
  ExpectLines({{"",
                "rpc_replay_traces { }",
                {"unsupported rpc_replay_traces: 1 given: replay is not supported yet; leave "
                 "rpc_replay_traces out"}}});
}

TEST(UnsupportedTest, WorkThatIsNotSupportedYet) {
  const CompiledText compiled = CompileText(
      "services { name: 's' } action_lists { name: 's' action_names: 'a' } "
      "actions { name: 'a' rpc_replay_trace_name: 'x' }");
  ASSERT_EQ(compiled.diagnostics.size(), 1u);
  EXPECT_EQ(compiled.diagnostics[0].code, absl::StatusCode::kUnimplemented);
  EXPECT_EQ(compiled.diagnostics[0].field_path, "actions[0].rpc_replay_trace_name");
}

TEST(UnsupportedTest, FieldsThatAreSetToNothingAskForNothing) {
  const std::string text = absl::StrReplaceAll(
      ClientServerWith("delay_actions_by_spinning: false"),
      {{"action_names: 'run'",
        "action_names: 'run' max_rpc_samples: 0 "
        "delay_actions_by_spinning: false"},
       {"client: 'client'", "client: 'client' tracing_interval: 0 distribution_config_name: ''"},
       {"rpc_name: 'query'",
        "rpc_name: 'query' cancel_traffic_when_done: false delay_distribution_name: '' "
        "request_payload_override: '' response_payload_override: ''"}});
  EXPECT_THAT(CompileText(text).Lines(), IsEmpty());
}

}  // namespace
}  // namespace distbench
