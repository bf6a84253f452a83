// What a test with a seed draws is the same whatever the threads do.
#include <map>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Clients draw targets and sizes; servers draw predicates, targets and sizes for each request, and
// run a nested list; stores draw the sizes of their answers.
std::string Config(const std::string& seed) {
  return absl::StrCat(R"(
    name: "draws" default_protocol: "fake" )",
                      seed, R"(
    services { name: "client" count: 2 }
    services { name: "server" count: 5 }
    services { name: "store" count: 4 }
    rpc_descriptions { name: "query" client: "client" server: "server"
                       fanout_filter: "stochastic{0.5:1,0.5:3}" distribution_config_name: "joint" }
    rpc_descriptions { name: "turn" client: "client" server: "server"
                       fanout_filter: "round_robin" }
    rpc_descriptions { name: "fetch" client: "server" server: "store" fanout_filter: "random"
                       request_payload_name: "drawn" response_payload_name: "drawn" }
    rpc_descriptions { name: "more" client: "server" server: "store" fanout_filter: "all" }
    action_lists { name: "client" action_names: "ask" action_names: "take_turns" }
    action_lists { name: "query" action_names: "fetch" action_names: "nested"
                   predicate_probabilities { key: "p" value: 0.4 } }
    action_lists { name: "inner" action_names: "more" action_names: "fetch_again"
                   predicate_probabilities { key: "p" value: 0.7 } }
    action_lists { name: "fetch" } action_lists { name: "more" } action_lists { name: "turn" }
    actions { name: "ask" rpc_name: "query"
              iterations { max_iteration_count: 600 max_parallel_iterations: 20 } }
    actions { name: "take_turns" rpc_name: "turn"
              iterations { max_iteration_count: 603 max_parallel_iterations: 20 } }
    actions { name: "fetch" rpc_name: "fetch" predicates: "p" }
    actions { name: "nested" action_list_name: "inner" iterations { max_iteration_count: 2 } }
    actions { name: "more" rpc_name: "more" predicates: "p" request_payload_override: "drawn" }
    actions { name: "fetch_again" rpc_name: "fetch" predicates: "!p" }
    payload_descriptions { name: "drawn" size_distribution_name: "sizes" }
    size_distribution_configs { name: "sizes" field_names: "payload_size"
                                pmf_points { pmf: 1 data_points { lower: 20 upper: 100000 } } }
    distribution_config { name: "joint" field_names: "request_payload_size"
      field_names: "response_payload_size"
      pmf_points { pmf: 1 data_points { lower: 20 upper: 100000 }
                          data_points { lower: 20 upper: 100000 } } })");
}

// How often an RPC went from one instance to another with these sizes.
using Draws = std::map<std::tuple<std::string, std::string, int32_t, int64_t, int64_t>, int>;

Draws DrawsOf(EngineCluster& cluster) {
  Draws draws;
  for (const InstancePlan& instance : cluster.plan().instances) {
    const ServicePerformanceLog log = cluster.Log(instance.name);
    for (const auto& [peer, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
        EXPECT_EQ(rpc_log.failed_rpc_samples_size(), 0);
        for (const RpcSample& sample : rpc_log.successful_rpc_samples()) {
          ++draws[{instance.name, peer, rpc, sample.request_size(), sample.response_size()}];
        }
      }
    }
  }
  return draws;
}

Draws OnSimulatedTime(const std::string& config, int64_t delay_ns) {
  EngineCluster cluster(config);
  if (delay_ns > 0) {
    cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = delay_ns});
  }
  cluster.Start();
  EXPECT_TRUE(cluster.RunUntilDone());
  return DrawsOf(cluster);
}

Draws OnThreads(const std::string& config, size_t shard_count) {
  const SystemClock clock;
  ThreadTimerService timers(clock);
  ShardThreads shards(shard_count);
  EngineCluster cluster(config, {.clock = &clock, .timers = &timers, .shards = &shards});
  // A delay puts answers on the timer's thread, so that threads meet.
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 2000});
  cluster.Start();
  cluster.WaitUntilDone();
  return DrawsOf(cluster);
}

TEST(EngineDrawsTest, ASeededTestDrawsTheSameWhateverTheThreadsDo) {
  const std::string config = Config("seed: 12345");
  const Draws expected = OnSimulatedTime(config, 0);
  EXPECT_GT(expected.size(), 4000u);
  EXPECT_EQ(OnSimulatedTime(config, 1'000'000), expected);
  for (const size_t shards : {1, 2, 5}) EXPECT_EQ(OnThreads(config, shards), expected) << shards;
}

TEST(EngineDrawsTest, AnotherSeedDrawsSomethingElse) {
  EXPECT_NE(OnSimulatedTime(Config("seed: 12345"), 0), OnSimulatedTime(Config("seed: 12346"), 0));
}

TEST(EngineDrawsTest, AFollowedSeedIsOfTheSameLengthWhereTimeEndsIt) {
  // A run that is cut short has drawn what the longer one draws first.
  const std::string longer = Config("seed: 9");
  std::string shorter = longer;
  const std::string count = "max_iteration_count: 600 max_parallel";
  shorter.replace(shorter.find(count), count.size(), "max_iteration_count: 200 max_parallel");
  const Draws all = OnSimulatedTime(longer, 0);
  for (const auto& [draw, times] : OnSimulatedTime(shorter, 0)) {
    const auto found = all.find(draw);
    ASSERT_NE(found, all.end());
    EXPECT_LE(times, found->second);
  }
}

}  // namespace
}  // namespace distbench
