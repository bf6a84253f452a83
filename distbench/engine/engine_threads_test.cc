// The engine on real threads: whatever they do, every iteration runs once and everything ends.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/engine/engine.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr size_t kShards = 4;

class EngineThreadsTest : public testing::Test {
 protected:
  EngineCluster::Threads threads() {
    return {.clock = &clock_, .timers = &timers_, .shards = &shards_, .pacers = &pacers_};
  }

  SystemClock clock_;
  ThreadTimerService timers_{clock_};
  Pacers pacers_{{.clock = &clock_, .shard_count = kShards}};
  ShardThreads shards_{kShards};
};

// client -> root -> 2 leaves, with `iterations` at the client.
std::string TwoLevels(const std::string& iterations) {
  return absl::StrCat(R"(
    name: "levels" default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 2 }
    services { name: "root" count: 2 }
    services { name: "leaf" count: 2 }
    rpc_descriptions { name: "root_query" client: "client" server: "root"
                       fanout_filter: "round_robin" }
    rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
    action_lists { name: "client" action_names: "ask_root" }
    action_lists { name: "root_query" action_names: "ask_leaves" }
    action_lists { name: "leaf_query" }
    actions { name: "ask_leaves" rpc_name: "leaf_query" }
    actions { name: "ask_root" rpc_name: "root_query" iterations { )",
                      iterations, " } }");
}

void ExpectConservation(EngineCluster& cluster, int64_t expected_each) {
  int64_t asked = 0;
  int64_t leaves = 0;
  for (const char* client : {"client/0", "client/1"}) {
    const auto counts = cluster.Counts(client, "root_query");
    EXPECT_EQ(counts.successes + counts.warmups, expected_each) << client;
    asked += counts.successes + counts.warmups;
  }
  for (const char* root : {"root/0", "root/1"}) {
    const auto counts = cluster.Counts(root, "leaf_query");
    leaves += counts.successes + counts.warmups;
  }
  EXPECT_EQ(leaves, 2 * asked);
}

TEST_F(EngineThreadsTest, ACountedClosedLoopOverManyShardsRunsExactlyItsCount) {
  EngineCluster cluster(TwoLevels("max_iteration_count: 3001 max_parallel_iterations: 50 "
                                  "warmup_iterations: 100"),
                        threads());
  cluster.Start();
  cluster.WaitUntilDone();
  ExpectConservation(cluster, 3001);
  EXPECT_EQ(cluster.Counts("client/0", "root_query").warmups, 100);
}

TEST_F(EngineThreadsTest, EveryMeasuredRequestIsServedOnceInTheServersFigures) {
  EngineCluster cluster(TwoLevels("max_iteration_count: 2000 max_parallel_iterations: 50 "
                                  "warmup_iterations: 100"),
                        threads());
  cluster.Start();
  cluster.WaitUntilDone();
  int64_t roots = 0;
  for (const char* root : {"root/0", "root/1"}) {
    roots += cluster.Log(root).served_rpcs().at(0).handler_time_ns().count();
  }
  EXPECT_EQ(roots, 2 * 1900);
  for (const char* leaf : {"leaf/0", "leaf/1"}) {
    EXPECT_EQ(cluster.Log(leaf).served_rpcs().at(1).queue_time_ns().count(), roots) << leaf;
  }
}

// Which RPCs are kept shows in whom they went to.
TEST_F(EngineThreadsTest, TheChoiceOfSamplesDoesNotDependOnThreads) {
  constexpr char kConfig[] = R"(
    name: "few" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "server" count: 16 }
    rpc_descriptions { name: "query" client: "client" server: "server" fanout_filter: "random" }
    action_lists { name: "client" action_names: "ask" max_rpc_samples: 200 }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" iterations { max_iteration_count: 3000
              max_parallel_iterations: 64 } })";
  std::vector<std::map<std::string, int>> kept;  // by server
  for (const size_t shards : {1, 8}) {
    ShardThreads shard_threads(shards);
    EngineCluster cluster(kConfig,
                          {.clock = &clock_, .timers = &timers_, .shards = &shard_threads});
    cluster.Start();
    cluster.WaitUntilDone();
    const ServicePerformanceLog log = cluster.Log("client/0");
    EXPECT_EQ(log.rpc_statistics().at(0).samples_left_out(), 2800);
    std::map<std::string, int>& by_server = kept.emplace_back();
    for (const auto& [server, peer_log] : log.peer_logs()) {
      by_server[server] = peer_log.rpc_logs().at(0).successful_rpc_samples_size();
    }
  }
  EXPECT_EQ(kept[0], kept[1]);
}

TEST_F(EngineThreadsTest, ThreadsThatDeliverLateDisturbNothing) {
  EngineCluster cluster(TwoLevels("max_iteration_count: 1000 max_parallel_iterations: 64"),
                        threads());
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 50'000});
  cluster.Start();
  cluster.WaitUntilDone();
  ExpectConservation(cluster, 1000);
}

TEST_F(EngineThreadsTest, AnOpenLoopOverManyShardsStartsEveryArrivalOnce) {
  for (const char* pacing : {"sleep", "spin", "hybrid"}) {
    EngineCluster cluster(
        TwoLevels(absl::StrCat("max_iteration_count: 1000 open_loop_interval_ns: 20000 pacing: '",
                               pacing, "'")),
        threads());
    cluster.Start();
    cluster.WaitUntilDone();
    ExpectConservation(cluster, 1000);
  }
}

TEST_F(EngineThreadsTest, ManyOpenLoopsOfEveryPacingShareTheThreads) {
  EngineCluster cluster(R"(
    name: "mixture" default_protocol: "fake"
    services { name: "client" count: 3 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    action_lists { name: "client" action_names: "slow" action_names: "fast" action_names: "even"
                   action_names: "odd" }
    action_lists { name: "query" }
    actions { name: "slow" rpc_name: "query" iterations {
      max_iteration_count: 200 open_loop_interval_ns: 40000 } }
    actions { name: "fast" rpc_name: "query" iterations {
      max_iteration_count: 2000 open_loop_interval_ns: 4000 pacing: "spin" } }
    actions { name: "even" rpc_name: "query" iterations {
      max_iteration_count: 300 open_loop_interval_ns: 30000 pacing: "hybrid" } }
    actions { name: "odd" rpc_name: "query" iterations {
      max_iteration_count: 500 open_loop_interval_ns: 7000 pacing: "spin" } })",
                        threads());
  cluster.Start();
  cluster.WaitUntilDone();
  for (const char* client : {"client/0", "client/1", "client/2"}) {
    EXPECT_EQ(cluster.Counts(client, "query").successes, 3000) << client;
  }
}

TEST_F(EngineThreadsTest, CancellationEndsOpenLoopsOfEveryPacing) {
  for (const char* pacing : {"sleep", "spin", "hybrid"}) {
    // The second arrival is an hour away, or in the next moment.
    for (const char* interval_ns : {"3600000000000", "20000"}) {
      EngineCluster cluster(
          TwoLevels(absl::StrCat("max_duration_us_64: 7200000000 pacing: '", pacing,
                                 "' open_loop_interval_ns: ", interval_ns)),
          threads());
      cluster.Start();
      for (const char* client : {"client/0", "client/1"}) {
        while (cluster.engine(client).start_skew_ns() == 0) std::this_thread::yield();
        cluster.engine(client).CancelTraffic(absl::CancelledError("enough"));
      }
      cluster.WaitUntilDone();
      EXPECT_EQ(*cluster.outcome("client/0"), absl::CancelledError("enough")) << pacing;
    }
  }
}

TEST_F(EngineThreadsTest, CancellationInFullFlightEndsEverything) {
  for (int round = 0; round < 5; ++round) {
    EngineCluster cluster(TwoLevels("max_parallel_iterations: 40"), threads());
    cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 20'000});
    cluster.Start();
    for (const char* instance : {"client/0", "root/1", "client/1", "leaf/0", "root/0"}) {
      cluster.engine(instance).CancelTraffic(absl::CancelledError("enough"));
    }
    cluster.WaitUntilDone();
    EXPECT_EQ(*cluster.outcome("client/1"), absl::CancelledError("enough"));
  }
}

// Each iteration ends at once: without a pause between them nothing else would ever run.
TEST_F(EngineThreadsTest, AnEndlessLoopOfEmptyListsHearsOfItsCancellation) {
  EngineCluster cluster(R"(
    name: "endless" default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" deadline_us: 1000 }
    action_lists { name: "client" action_names: "ask" action_names: "spin" }
    action_lists { name: "query" action_names: "spin" }
    action_lists { name: "empty" }
    actions { name: "ask" rpc_name: "query" }
    actions { name: "spin" action_list_name: "empty" iterations { max_parallel_iterations: 3 } })",
                        threads());
  cluster.Start();
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  cluster.WaitUntilDone();
  // The server's list still spins, and yet its log can be taken.
  EXPECT_EQ(cluster.engine("server/0").BuildStatistics(absl::InfinitePast()).peer_logs_size(), 0);
}

TEST_F(EngineThreadsTest, BusyEnginesLeaveEachOtherTheHomeThread) {
  ShardThreads one_thread(1);
  EngineCluster cluster(R"(
    name: "busy" default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 3 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" iterations { max_parallel_iterations: 500 } })",
                        {.clock = &clock_, .timers = &timers_, .shards = &one_thread});
  cluster.Start();
  const char* const clients[] = {"client/0", "client/1", "client/2"};
  for (const char* client : clients) {
    while (cluster.engine(client).pending_rpcs() == 0) std::this_thread::yield();
  }
  for (const char* client : clients) {
    cluster.engine(client).CancelTraffic(absl::CancelledError("enough"));
  }
  cluster.WaitUntilDone();
  for (const char* client : clients) EXPECT_GT(cluster.Counts(client, "query").successes, 0);
}

}  // namespace
}  // namespace distbench
