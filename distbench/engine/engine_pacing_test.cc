// Which pacers an engine makes use of.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

std::set<std::string> PacerThreads() {
  std::set<std::string> names;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(thread.path() / "comm"), name);
    if (absl::StartsWith(name, "db-pacer")) names.insert(name);
  }
  return names;
}

std::string Config(const std::string& iterations) {
  return absl::StrCat(R"(
    name: "paced" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" iterations { max_iteration_count: 100 )",
                      iterations, " } }");
}

TEST(EnginePacingTest, OnlyThePacersOfItsOpenLoopsAreMade) {
  using Names = std::set<std::string>;
  const SystemClock clock;
  ThreadTimerService timers(clock);
  Pacers pacers({.clock = &clock, .shard_count = 2});
  ShardThreads shards(2);
  const auto run = [&](const std::string& iterations) {
    EngineCluster cluster(
        Config(iterations),
        {.clock = &clock, .timers = &timers, .shards = &shards, .pacers = &pacers});
    cluster.Start();
    cluster.WaitUntilDone();
    EXPECT_EQ(cluster.Counts("client/0", "query").successes, 100);
    return PacerThreads();
  };
  EXPECT_EQ(run(""), Names());
  EXPECT_EQ(run("open_loop_interval_ns: 1000 pacing: 'spin'"), Names({"db-pacer-spin"}));
  EXPECT_EQ(run("open_loop_interval_ns: 1000 pacing: 'hybrid'"),
            Names({"db-pacer-hybrid", "db-pacer-spin"}));
  EXPECT_EQ(run("open_loop_interval_ns: 1000"),
            Names({"db-pacer-0", "db-pacer-1", "db-pacer-hybrid", "db-pacer-spin"}));
}

}  // namespace
}  // namespace distbench
