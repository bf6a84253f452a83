// Names and graphs that are wrong: the config, and the exact lines that a person gets for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
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

TEST(CompileErrorsTest, TheConfigThatTheCasesChangeIsRight) {
  const CompiledText compiled = CompileText(ClientServerWith(""));
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  EXPECT_THAT(compiled.plan, NotNull());
}

TEST(CompileErrorsTest, Services) {
  ExpectLines({
      {"",
       "services { name: 'client' }",
       {"error services[2].name: 'client' is the name of services[0] already; rename one of them"}},
      {"",
       "services { count: 1 }",
       {"error services[2].name: this service has no name; set `name`"}},
      {"",
       "services { name: 'a/b' }",
       {"error services[2].name: 'a/b' contains '/', which separates a service's name from the "
        "number of an instance; use another character",
        "warning services[2]: service 'a/b' does nothing: no action list has its name, and it "
        "answers no RPC"}},
      {"count: 2",
       "count: 0",
       {"error services[1].count: service 'server': 0 is not positive; set at least 1"}},
      {"count: 2",
       "count: 1000000",
       {"error services: all services together have 1000001 instances; a test may have 1000000"}},
  });
}

TEST(CompileErrorsTest, ServiceBundles) {
  ExpectLines({
      {"",
       "node_service_bundles { key: 'node1' value { services: 'server/2' } }",
       {"error node_service_bundles[node1].services[0]: there is no instance 'server/2'; service "
        "'server' has 'server/0' to 'server/1'"}},
      {"",
       "node_service_bundles { key: 'node1' value { services: 'srver/0' } }",
       {"error node_service_bundles[node1].services[0]: there is no instance 'srver/0', as no "
        "service has that name (did you mean 'server'?)"}},
      {"",
       "node_service_bundles { key: 'node1' value { services: 'server/0' } }"
       "node_service_bundles { key: 'node0' value { services: ['client/0', 'server/0'] } }",
       {"error node_service_bundles[node1].services[0]: 'server/0' is placed on node0 already; "
        "name it once"}},
      {"",
       "node_service_bundles { key: 'node0' value { services: ['client/0', 'client/0'] } }",
       {"error node_service_bundles[node0].services[1]: 'client/0' is placed on node0 already; "
        "name it once"}},
      {"",
       "node_service_bundles { key: 'node01' value { } }",
       {"error node_service_bundles[node01]: 'node01' names no node; nodes are node0, node1, ..."}},
      {"",
       "node_service_bundles { key: 'host' value { } }",
       {"error node_service_bundles[host]: 'host' names no node; nodes are node0, node1, ..."}},
  });
}

TEST(CompileErrorsTest, RpcEnds) {
  ExpectLines({
      {"server: 'server'",
       "server: 'sever'",
       {"error rpc_descriptions[0].server: there is no service 'sever' (did you mean 'server'?)",
        "warning services[1]: service 'server' does nothing: no action list has its name, and it "
        "answers no RPC"}},
      {"server: 'server'",
       "",
       {"error rpc_descriptions[0].server: RPC 'query' has no server; name the service that "
        "answers "
        "it",
        "warning services[1]: service 'server' does nothing: no action list has its name, and it "
        "answers no RPC"}},
      {"client: 'client'",
       "client: 'client' client: 'clients'",
       {"error rpc_descriptions[0].client[1]: there is no service 'clients' (did you mean "
        "'client'?)"}},
      {"client: 'client'",
       "client: 'client' client: 'client'",
       {"error rpc_descriptions[0].client[1]: 'client' is among the clients already; name it "
        "once"}},
      {"client: 'client'",
       "",
       {"error rpc_descriptions[0].client: RPC 'query' has no client; name the services that may "
        "send it",
        "error actions[0].rpc_name: service 'client' runs action 'run' of list 'client', but is "
        "not "
        "among the clients of RPC 'query'; add it to `client`"}},
      {"action_lists { name: 'query' }",
       "action_lists { name: 'querry' }",
       {"error rpc_descriptions[0].name: there is no action list 'query' to run on the server of "
        "this RPC; add one, if only an empty one (did you mean 'querry'?)",
        "warning action_lists[1]: nothing uses the action list 'querry'"}},
      {"",
       "rpc_descriptions { name: 'server' client: 'client' server: 'server' }"
       "action_lists { name: 'server' }",
       {"error rpc_descriptions[1].name: 'server' is a service too, and its action list cannot "
        "belong to both; rename one of them",
        "warning rpc_descriptions[1]: nothing uses the RPC 'server'"}},
      {"",
       "rpc_descriptions { client: 'client' server: 'server' }",
       {"error rpc_descriptions[1].name: this RPC has no name; set `name`"}},
  });
}

TEST(CompileErrorsTest, AServiceOfOneInstanceCannotSendToItself) {
  const std::string lonely = R"(
    services { name: 's' count: 1 }
    rpc_descriptions { name: 'q' client: 's' server: 's' fanout_filter: 'FILTER' }
    actions { name: 'a' rpc_name: 'q' } actions { name: 'b' rpc_name: 'q' }
    action_lists { name: 's' action_names: ['a', 'b'] } action_lists { name: 'q' })";
  for (const char* filter : {"all", "random", "round_robin"}) {
    EXPECT_THAT(CompileText(absl::StrReplaceAll(lonely, {{"FILTER", filter}})).Lines(),
                ElementsAre("error rpc_descriptions[0].fanout_filter: RPC 'q' can never be sent: "
                            "'s' is client and server and has one instance, which does not send to "
                            "itself; give the service more instances"));
  }
  EXPECT_THAT(
      CompileText(absl::StrReplaceAll(lonely, {{"FILTER", "all"}, {"count: 1", "count: 2"}}))
          .Lines(),
      IsEmpty());
}

TEST(CompileErrorsTest, Actions) {
  ExpectLines({
      {"rpc_name: 'query'",
       "rpc_name: 'quary'",
       {"error actions[0].rpc_name: there is no RPC 'quary' (did you mean 'query'?)",
        "warning rpc_descriptions[0]: nothing uses the RPC 'query'"}},
      {"rpc_name: 'query'",
       "action_list_name: 'qeury'",
       {"error actions[0].action_list_name: there is no action list 'qeury' (did you mean "
        "'query'?)",
        "warning rpc_descriptions[0]: nothing uses the RPC 'query'"}},
      {"",
       "actions { rpc_name: 'query' }",
       {"error actions[1].name: this action has no name; set `name`"}},
      {"",
       "actions { name: 'run' }",
       {"error actions[1].name: 'run' is the name of actions[0] already; rename one of them"}},
      {"",
       "action_lists { name: 'server' action_names: 'rum' }",
       {"error action_lists[2].action_names[0]: there is no action 'rum' (did you mean 'run'?)"}},
      {"action_names: 'run'",
       "action_names: 'run' action_names: 'run'",
       {"error action_lists[0].action_names[1]: 'run' is in list 'client' already; define a second "
        "action to do it twice"}},
      {"action_names: 'run'",
       "action_names: 'run' max_rpc_samples: -1",
       {"error action_lists[0].max_rpc_samples: -1 is negative; set 0 to keep all samples"}},
      {"",
       "action_lists { name: 'query' }",
       {"error action_lists[2].name: 'query' is the name of action_lists[1] already; rename one of "
        "them"}},
      {"",
       "action_lists { action_names: 'run' }",
       {"error action_lists[2].name: this action list has no name; set `name`"}},
  });
}

TEST(CompileErrorsTest, Dependencies) {
  const std::string run = "rpc_name: 'query'";
  ExpectLines({
      {run,
       "rpc_name: 'query' dependencies: 'rnu'",
       {"error actions[0].dependencies[0]: there is no action 'rnu' (did you mean 'run'?)"}},
      {run,
       "rpc_name: 'query' dependencies: 'run'",
       {"error actions[0].dependencies[0]: 'run' depends on itself; remove this"}},
      {"",
       "actions { name: 'then' dependencies: ['run', 'run'] }"
       "action_lists { name: 'server' action_names: ['run', 'then'] }",
       {"error actions[1].dependencies[1]: 'run' is a dependency already; remove one",
        "error actions[0].rpc_name: service 'server' runs action 'run' of list 'server', but is "
        "not "
        "among the clients of RPC 'query'; add it to `client`"}},
      {"",
       "actions { name: 'then' dependencies: 'run' }"
       "action_lists { name: 'server' action_names: 'then' }",
       {"error actions[1].dependencies[0]: 'run' is not in list 'server', where 'then' runs; an "
        "action can wait only for actions of its own list"}},
      {"",
       "actions { name: 'a' dependencies: 'b' } actions { name: 'b' dependencies: 'c' }"
       "actions { name: 'c' dependencies: 'a' } actions { name: 'd' dependencies: 'c' }"
       "action_lists { name: 'server' action_names: ['a', 'b', 'c', 'd'] }",
       {"error action_lists[2].action_names: in list 'server' actions wait for each other: 'a' -> "
        "'b' -> 'c' -> 'a'; remove one of these dependencies"}},
  });
}

TEST(CompileErrorsTest, ListsThatReachThemselves) {
  ExpectLines({
      {"",
       "actions { name: 'again' action_list_name: 'server' }"
       "action_lists { name: 'server' action_names: 'again' }",
       {"error action_lists[2]: list 'server' reaches itself: 'server' -> 'again' -> 'server' "
        "(lists and their actions in turn); remove one of the actions, or give it a predicate with "
        "a probability below 1"}},
      {"",
       "rpc_descriptions { name: 'back' client: 'server' server: 'client' }"
       "actions { name: 'answer' rpc_name: 'back' }"
       "actions { name: 'nested' action_list_name: 'more' }"
       "action_lists { name: 'server' action_names: 'answer' }"
       "action_lists { name: 'back' action_names: 'nested' }"
       "action_lists { name: 'more' action_names: ['run', 'ping'] }"
       "rpc_descriptions { name: 'pong' client: 'client' server: 'server' }"
       "actions { name: 'ping' rpc_name: 'pong' }"
       "action_lists { name: 'pong' action_names: 'answer' }",
       {"error action_lists[3]: list 'back' reaches itself: 'back' -> 'nested' -> 'more' -> 'ping' "
        "-> 'pong' -> 'answer' -> 'back' (lists and their actions in turn); remove one of the "
        "actions, or give it a predicate with a probability below 1"}},
  });
}

// `depth` lists, each of which runs the next one, below a client's own list.
std::vector<std::string> LinesOfNestedLists(int depth) {
  std::string text =
      "services { name: 'client' } action_lists { name: 'client' action_names: '0' }";
  for (int i = 0; i < depth; ++i) {
    absl::StrAppend(&text, "actions { name: '", i, "' action_list_name: 'list", i, "' }",
                    "action_lists { name: 'list", i, "'",
                    i + 1 < depth ? absl::StrCat(" action_names: '", i + 1, "'") : "", " }");
  }
  return CompileText(text).Lines();
}

TEST(CompileErrorsTest, ListsNestedTooDeep) {
  EXPECT_THAT(LinesOfNestedLists(100), testing::IsEmpty());
  EXPECT_THAT(LinesOfNestedLists(101),
              testing::ElementsAre(
                  "error action_lists[101]: list 'list100' is run by a list that is run by a list, "
                  "more than 100 deep; put the actions of some of them into one list"));
}

TEST(CompileErrorsTest, SendersThatAreNoClients) {
  ExpectLines({
      {"action_lists { name: 'query' }",
       "action_lists { name: 'query' action_names: 'nested' }"
       "actions { name: 'nested' action_list_name: 'inner' }"
       "actions { name: 'log' rpc_name: 'log' } action_lists { name: 'inner' action_names: 'log' }"
       "action_lists { name: 'log' }"
       "rpc_descriptions { name: 'log' client: 'client' server: 'client' }",
       {"error actions[2].rpc_name: service 'server' runs action 'log' of list 'inner', but is not "
        "among the clients of RPC 'log'; add it to `client`"}},
      {"",
       "services { name: 'a' } services { name: 'b' } actions { name: 'n' action_list_name: "
       "'client' } action_lists { name: 'a' action_names: 'n' } "
       "action_lists { name: 'b' action_names: 'n' }",
       {"error actions[0].rpc_name: service 'a' and 1 more runs action 'run' of list 'client', but "
        "is not among the clients of RPC 'query'; add it to `client`"}},
  });
}

TEST(CompileErrorsTest, Warnings) {
  ExpectLines({
      {"",
       "services { name: 'idle' }",
       {"warning services[2]: service 'idle' does nothing: no action list has its name, and it "
        "answers no RPC"}},
      {"",
       "payload_descriptions { name: 'p' size: 1 }",
       {"warning payload_descriptions[0]: nothing uses the payload 'p'"}},
      {"",
       "rpc_descriptions { name: 'q' client: 'client' server: 'server' } "
       "action_lists { name: 'q' }",
       {"warning rpc_descriptions[1]: nothing uses the RPC 'q'"}},
      {"", "actions { name: 'a' }", {"warning actions[1]: nothing uses the action 'a'"}},
      {"",
       "action_lists { name: 'l' }",
       {"warning action_lists[2]: nothing uses the action list 'l'"}},
      {"",
       "protocol_driver_options { name: 'o' protocol_name: 'fake' }",
       {"warning protocol_driver_options[0]: nothing uses the entry of protocol_driver_options "
        "'o'"}},
      {"max_iteration_count: 10",
       "max_iteration_count: 10 warmup_iterations: 10",
       {"warning actions[0].iterations.warmup_iterations: all 10 iterations are warmup; nothing is "
        "measured"}},
      {"max_iteration_count: 10",
       "max_iteration_count: 10 open_loop_interval_ns: 5 max_parallel_iterations: 2",
       {"warning actions[0].iterations.max_parallel_iterations: has no effect in an open loop, "
        "where iterations start by the clock"}},
      {"max_iteration_count: 10",
       "max_iteration_count: 10 open_loop_interval_distribution: 'sync_burst'",
       {"warning actions[0].iterations.open_loop_interval_distribution: has no effect without "
        "open_loop_interval_ns"}},
  });
}

TEST(CompileErrorsTest, ReportsTheErrorsOfAllParts) {
  const CompiledText compiled = CompileText(R"(
    services { name: 's' count: -1 }
    rpc_descriptions { name: 'q' client: 'x' server: 'y' fanout_filter: 'z' }
    actions { name: 'a' rpc_name: 'r' dependencies: 'b' iterations { } }
    action_lists { name: 's' action_names: ['a', 'c'] }
    default_protocol: 'd'
  )");
  EXPECT_THAT(compiled.plan, IsNull());
  std::vector<std::string> paths;
  for (const Diagnostic& diagnostic : compiled.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::kError) paths.push_back(diagnostic.field_path);
  }
  EXPECT_THAT(
      paths, testing::UnorderedElementsAre(
                 "services[0].count", "rpc_descriptions[0].client[0]", "rpc_descriptions[0].server",
                 "rpc_descriptions[0].name", "rpc_descriptions[0].fanout_filter",
                 "actions[0].rpc_name", "actions[0].dependencies[0]", "actions[0].iterations",
                 "action_lists[0].action_names[1]", "default_protocol"));
}

}  // namespace
}  // namespace distbench
