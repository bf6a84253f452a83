// RPCs that are one-way, echo their requests, or are dispatched: what reaches the plan, and what
// contradicts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"

namespace distbench {
namespace {

using ::testing::IsEmpty;

TEST(RpcFormsTest, ReachThePlan) {
  const auto compile = [](const char* form) {
    const CompiledText compiled = CompileText(absl::StrReplaceAll(
        ClientServerWith(""), {{"client: 'client'", std::string("client: 'client' ") + form}}));
    EXPECT_THAT(compiled.Lines(), IsEmpty()) << form;
    return compiled.plan->rpcs[RpcIndex(0)];
  };
  const RpcPlan plain = compile("");
  EXPECT_FALSE(plain.one_way);
  EXPECT_FALSE(plain.echo_request);
  EXPECT_EQ(plain.dispatch.mode, DispatchMode::kInline);
  EXPECT_TRUE(compile("one_way: true").one_way);
  EXPECT_TRUE(compile("echo_request: true").echo_request);
  EXPECT_EQ(compile("server_dispatch {}").dispatch.mode, DispatchMode::kInline);
  EXPECT_EQ(compile("server_dispatch { mode: 'serial_queue' }").dispatch.mode,
            DispatchMode::kSerialQueue);
  EXPECT_EQ(compile("server_dispatch { mode: 'fresh_thread' }").dispatch.mode,
            DispatchMode::kFreshThread);
  const RpcPlan pool = compile("server_dispatch { mode: 'thread_pool' threads: 7 }");
  EXPECT_EQ(pool.dispatch.mode, DispatchMode::kThreadPool);
  EXPECT_EQ(pool.dispatch.threads, 7u);
}

TEST(RpcFormsTest, AOneWayRpcHasNothingThatNeedsAResponse) {
  ExpectLines({
      {"client: 'client'",
       "client: 'client' one_way: true echo_request: true",
       {"error rpc_descriptions[0].echo_request: a one_way RPC has no response to echo its "
        "request; remove one of the two"}},
      {"client: 'client'",
       "client: 'client' one_way: true multi_server_channel_name: 'none'",
       {"error rpc_descriptions[0].multi_server_channel_name: service 'server' has no "
        "multi-server channel 'none'",
        "error rpc_descriptions[0].multi_server_channel_name: the response says which instance of "
        "a channel has served, and a one_way RPC has none; remove one of the two"}},
      {"client: 'client'",
       "client: 'client' one_way: true response_payload_name: 'large'",
       {"error rpc_descriptions[0].response_payload_name: there is no payload 'large'",
        "error rpc_descriptions[0].response_payload_name: 'large' has no effect on an RPC with "
        "one_way, whose response has no size of its own; remove it"}},
  });
}

TEST(RpcFormsTest, ActionsOfItsListDoNotAnswerAOneWayRpc) {
  const std::string config = absl::StrReplaceAll(
      ClientServerWith("actions { name: 'work' send_response_when_done: true }"),
      {{"client: 'client'", "client: 'client' one_way: true"},
       {"action_lists { name: 'query' }", "action_lists { name: 'query' action_names: 'work' }"}});
  EXPECT_THAT(CompileText(config).Lines(),
              testing::ElementsAre("error actions[1].send_response_when_done: RPC 'query', whose "
                                   "list has this action, is one_way and has no response; remove "
                                   "one of the two"));
}

TEST(RpcFormsTest, AnEchoHasTheSizeThatItsRequestMakes) {
  const std::string config = absl::StrReplaceAll(
      ClientServerWith("actions { name: 'work' response_payload_override: 'large' }"
                       "payload_descriptions { name: 'large' size: 1000 }"
                       "distribution_config { name: 'both' field_names: 'payload_size'"
                       " pmf_points { pmf: 1 data_points { exact: 9 } } }"),
      {{"client: 'client'",
        "client: 'client' echo_request: true response_payload_name: 'large' "
        "distribution_config_name: 'both'"},
       {"action_lists { name: 'query' }", "action_lists { name: 'query' action_names: 'work' }"}});
  EXPECT_THAT(
      CompileText(config).Lines(),
      testing::ElementsAre(
          "error rpc_descriptions[0].response_payload_name: 'large' has no effect on an RPC with "
          "echo_request, whose response has no size of its own; remove it",
          "error rpc_descriptions[0].distribution_config_name: 'both' draws the size of the "
          "response too, and an RPC with echo_request has none of its own; draw that of the "
          "request with a payload (request_payload_name, size_distribution_name)",
          "error actions[1].response_payload_override: 'large' cannot size the response of RPC "
          "'query', whose list has this action, as that has echo_request; remove it"));
}

TEST(RpcFormsTest, ListsWithinItsListDoNotSizeAnEchoEither) {
  const std::string config = absl::StrReplaceAll(
      ClientServerWith("actions { name: 'inner' action_list_name: 'inner' }"
                       "action_lists { name: 'inner' action_names: 'work' }"
                       "actions { name: 'work' response_payload_override: 'large' }"
                       "payload_descriptions { name: 'large' size: 1000 }"),
      {{"client: 'client'", "client: 'client' echo_request: true"},
       {"action_lists { name: 'query' }", "action_lists { name: 'query' action_names: 'inner' }"}});
  EXPECT_THAT(
      CompileText(config).Lines(),
      testing::ElementsAre(
          "warning actions[2].response_payload_override: 'large' has no effect on the response of "
          "RPC 'query', within whose list this action runs, as that has echo_request"));
}

TEST(RpcFormsTest, ServerDispatch) {
  ExpectLines({
      {"client: 'client'",
       "client: 'client' server_dispatch { mode: 'threadpool' threads: 2 }",
       {"error rpc_descriptions[0].server_dispatch.mode: there is no mode 'threadpool' (did you "
        "mean 'thread_pool'?)"}},
      {"client: 'client'",
       "client: 'client' server_dispatch { mode: 'thread_pool' }",
       {"error rpc_descriptions[0].server_dispatch.threads: a thread_pool needs a number of "
        "threads; set 1 to 1000"}},
      {"client: 'client'",
       "client: 'client' server_dispatch { mode: 'thread_pool' threads: 0 }",
       {"error rpc_descriptions[0].server_dispatch.threads: 0 is out of range; set 1 to 1000"}},
      {"client: 'client'",
       "client: 'client' server_dispatch { mode: 'thread_pool' threads: 1001 }",
       {"error rpc_descriptions[0].server_dispatch.threads: 1001 is out of range; set 1 to 1000"}},
      {"client: 'client'",
       "client: 'client' server_dispatch { mode: 'serial_queue' threads: 1 }",
       {"error rpc_descriptions[0].server_dispatch.threads: 1 has no meaning with mode "
        "'serial_queue'; remove it, or set mode to 'thread_pool'"}},
  });
}

}  // namespace
}  // namespace distbench
