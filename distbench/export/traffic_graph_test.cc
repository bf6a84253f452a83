#include "distbench/export/traffic_graph.h"

#include <string>

#include "distbench/config/compiler.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

std::string Draw(const std::string& text) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config));
  Diagnostics diagnostics;
  Canonicalize(&config, &diagnostics);
  const auto plan = CompileTest(config, {.names = {"grpc"}}, &diagnostics);
  EXPECT_NE(plan, nullptr) << diagnostics.ToStatus();
  return plan == nullptr ? "" : DrawTraffic(config, *plan);
}

TEST(DrawTrafficTest, ServicesAreBoxesAndRpcsArrowsWithSizesTargetsAndPace) {
  EXPECT_EQ(Draw(R"(
      name: "tiers"
      services { name: "client" count: 3 }
      services { name: "grid" count: 8 x_size: 4 y_size: 2 }
      services { name: "store" }
      payload_descriptions { name: "large" size: 262144 }
      rpc_descriptions { name: "ask" client: "client" server: "grid" fanout_filter: "random"
                         response_payload_name: "large" }
      rpc_descriptions { name: "load" client: "grid" server: "store" }
      rpc_descriptions { name: "unused" client: "store" server: "client" }
      action_lists { name: "client" action_names: "work" action_names: "poll" }
      action_lists { name: "session" action_names: "ask" }
      action_lists { name: "ask" action_names: "load" }
      action_lists { name: "load" }
      action_lists { name: "unused" }
      actions { name: "work" action_list_name: "session"
                iterations { max_iteration_count: 9 max_parallel_iterations: 4 } }
      actions { name: "ask" rpc_name: "ask" }
      actions { name: "poll" rpc_name: "ask" iterations { max_iteration_count: 9
                open_loop_interval_ns: 2000000 open_loop_interval_distribution: "exponential" } }
      actions { name: "load" rpc_name: "load" })"),
            R"(digraph "tiers" {
  rankdir=LR;
  node [shape=box, style=rounded];
  "client" [label="client\n× 3"];
  "grid" [label="grid\n4 × 2"];
  "store" [label="store\n× 1"];
  "client" -> "grid" [label="ask\n16 B / 256 KiB\nto random\n4 at a time"];
  "client" -> "grid" [label="ask\n16 B / 256 KiB\nto random\nevery 2 ms on average"];
  "grid" -> "store" [label="load\n16 B / 32 B"];
}
)");
}

TEST(DrawTrafficTest, ArrowsSayWhatComesBackAndHowServersGoAboutIt) {
  const std::string picture = Draw(R"(
      name: "ways"
      services { name: "client" }
      services { name: "server" }
      rpc_descriptions { name: "throw" client: "client" server: "server" one_way: true
                         server_dispatch { mode: "thread_pool" threads: 3 } }
      rpc_descriptions { name: "bounce" client: "client" server: "server" echo_request: true
                         server_dispatch { mode: "serial_queue" } }
      action_lists { name: "client" action_names: "throw" action_names: "bounce" }
      action_lists { name: "throw" }
      action_lists { name: "bounce" }
      actions { name: "throw" rpc_name: "throw" }
      actions { name: "bounce" rpc_name: "bounce" })");
  EXPECT_NE(picture.find("throw\\n16 B, one-way\\nby 3 threads\""), std::string::npos) << picture;
  EXPECT_NE(picture.find("bounce\\n16 B, echoed\\none after the other\""), std::string::npos)
      << picture;
}

TEST(DrawTrafficTest, ArrowsSayWhatChanceDecides) {
  const std::string picture = Draw(R"(
      name: "chances"
      services { name: "client" }
      services { name: "server" }
      rpc_descriptions { name: "read" client: "client" server: "server" }
      rpc_descriptions { name: "write" client: "client" server: "server" }
      rpc_descriptions { name: "log" client: "client" server: "server" }
      rpc_descriptions { name: "sync" client: "client" server: "server" }
      action_lists { name: "client" action_names: "work" }
      action_lists { name: "work" action_names: "read" action_names: "write" action_names: "log"
                     action_names: "sync"
                     predicate_probabilities { key: "logged" value: 0.2 }
                     predicate_choices { alternatives { predicate: "reads" weight: 3 }
                                         alternatives { predicate: "writes" weight: 1 } } }
      action_lists { name: "read" } action_lists { name: "write" }
      action_lists { name: "log" } action_lists { name: "sync" }
      actions { name: "work" action_list_name: "work" iterations { max_iteration_count: 9 } }
      actions { name: "read" rpc_name: "read" predicates: "reads" }
      actions { name: "write" rpc_name: "write" predicates: "writes" }
      actions { name: "log" rpc_name: "log" predicates: "!logged" }
      actions { name: "sync" rpc_name: "sync" predicates: "logged" predicates: "writes" })");
  const auto shows = [&](const std::string& text) {
    return picture.find(text + "\"]") != std::string::npos;
  };
  EXPECT_TRUE(shows("read\\n16 B / 32 B\\n1 at a time\\ndrawn: 75 %")) << picture;
  EXPECT_TRUE(shows("write\\n16 B / 32 B\\n1 at a time\\ndrawn: 25 %")) << picture;
  EXPECT_TRUE(shows("log\\n16 B / 32 B\\n1 at a time\\ndrawn: 80 %")) << picture;
  EXPECT_TRUE(shows("sync\\n16 B / 32 B\\n1 at a time\\nsometimes")) << picture;
}

TEST(DrawTrafficTest, ReplaysAreDashedAndNamesAreQuoted) {
  EXPECT_EQ(Draw(R"(
      name: "a \"b\""
      services { name: "client" }
      services { name: "server" }
      action_lists { name: "client" action_names: "replay" }
      actions { name: "replay" rpc_replay_trace_name: "trace" }
      rpc_replay_traces { name: "trace" client: "client" server: "server"
        records { server_instance: 0 request_size: 9 response_size: 9 } })"),
            R"(digraph "a \"b\"" {
  rankdir=LR;
  node [shape=box, style=rounded];
  "client" [label="client\n× 1"];
  "server" [label="server\n× 1"];
  "client" -> "server" [label="replay of trace", style=dashed];
}
)");
}

// A list that reaches itself by chance is followed once.
TEST(DrawTrafficTest, ListsThatReachThemselvesEnd) {
  const std::string picture = Draw(R"(
      name: "loop"
      services { name: "node" count: 2 }
      rpc_descriptions { name: "pass" client: "node" server: "node" fanout_filter: "random" }
      action_lists { name: "node" action_names: "pass"
                     predicate_probabilities { key: "on" value: 0.5 } }
      action_lists { name: "pass" action_names: "pass"
                     predicate_probabilities { key: "on" value: 0.5 } }
      actions { name: "pass" rpc_name: "pass" predicates: "on" })");
  EXPECT_EQ(picture.find("\"node\" -> \"node\""), picture.rfind("\"node\" -> \"node\""));
}

}  // namespace
}  // namespace distbench
