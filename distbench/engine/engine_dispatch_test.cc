// When and where servers work on requests that are dispatched: on simulated time when, on real
// threads where.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/engine/workers.h"
#include "distbench/testing/engine_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Requests come six at a time, each of a millisecond's work.
std::string SixAtATime(const std::string& rpc, int servers = 1) {
  return absl::StrCat(
      absl::StrReplaceAll(
          ClientServer("iterations { max_iteration_count: 6 max_parallel_iterations: 6 }", servers,
                       rpc),
          {{"action_lists { name: \"query\" }",
            "action_lists { name: 'query' action_names: 'nap' }"}}),
      "actions { name: 'nap' activity_config_name: 'nap' }"
      "activity_configs { name: 'nap'"
      " activity_settings { name: 'activity_func' string_value: 'SleepFor' }"
      " activity_settings { name: 'duration_us' int64_value: 1000 } }");
}

// In ms, in the order of their ends.
std::vector<int64_t> Latencies(EngineCluster& cluster, const std::string& rpc = "query") {
  std::vector<int64_t> latencies;
  for (const RpcSample& sample : cluster.Counts("client/0", rpc).samples) {
    latencies.push_back(sample.latency_ns() / kMs);
  }
  std::sort(latencies.begin(), latencies.end());
  return latencies;
}

TEST(EngineDispatchTest, InlineRequestsAreServedTogether) {
  EngineCluster cluster(SixAtATime("server_dispatch { mode: 'inline' }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(Latencies(cluster), std::vector<int64_t>({1, 1, 1, 1, 1, 1}));
}

TEST(EngineDispatchTest, AThreadPoolServesAsManyAsItHasThreadsAndTheOthersWait) {
  EngineCluster cluster(SixAtATime("server_dispatch { mode: 'thread_pool' threads: 2 }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(Latencies(cluster), std::vector<int64_t>({1, 1, 2, 2, 3, 3}));
  const ServicePerformanceLog log = cluster.Log("server/0");
  const ServedRpcStatistics& served = log.served_rpcs().at(0);
  EXPECT_EQ(served.queue_time_ns().count(), 6);
  EXPECT_EQ(served.queue_time_ns().sum_low(), static_cast<uint64_t>(2 * (0 + 1 + 2) * kMs));
  EXPECT_EQ(served.handler_time_ns().min(), kMs);
  EXPECT_EQ(served.handler_time_ns().max(), kMs);
}

TEST(EngineDispatchTest, APoolIsOfOneInstance) {
  EngineCluster cluster(SixAtATime(
      "fanout_filter: 'round_robin' server_dispatch { mode: 'thread_pool' threads: 1 }", 2));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(Latencies(cluster), std::vector<int64_t>({1, 1, 2, 2, 3, 3}));
}

TEST(EngineDispatchTest, ASerialQueueIsSharedByTheRpcsOfAnInstance) {
  EngineCluster cluster(absl::StrCat(
      absl::StrReplaceAll(SixAtATime("server_dispatch { mode: 'serial_queue' }"),
                          {{"action_names: \"ask\"", "action_names: 'ask' action_names: 'tell'"}}),
      "rpc_descriptions { name: 'other' client: 'client' server: 'server'"
      " server_dispatch { mode: 'serial_queue' } }"
      "action_lists { name: 'other' action_names: 'nap' }"
      "actions { name: 'tell' rpc_name: 'other' iterations { max_iteration_count: 2"
      " max_parallel_iterations: 2 } }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  std::vector<int64_t> all = Latencies(cluster);
  const std::vector<int64_t> others = Latencies(cluster, "other");
  all.insert(all.end(), others.begin(), others.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, std::vector<int64_t>({1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(EngineDispatchTest, FreshThreadsServeAllAtOnce) {
  EngineCluster cluster(SixAtATime("server_dispatch { mode: 'fresh_thread' }"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(Latencies(cluster), std::vector<int64_t>({1, 1, 1, 1, 1, 1}));
}

TEST(EngineDispatchTest, CancellationAnswersThoseThatWaitWithItsReason) {
  EngineCluster cluster(SixAtATime("server_dispatch { mode: 'serial_queue' }"));
  cluster.Start();
  cluster.time().RunNextTimer();  // they are sent
  cluster.time().RunNextTimer();  // the first is served
  cluster.engine("server/0").CancelTraffic(absl::AbortedError("preempted"));
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
  EXPECT_EQ(cluster.Counts("client/0", "query").failures, 5);
  EXPECT_EQ(cluster.Log("client/0").error_dictionary().error_message(1),
            "Traffic cancelled: ABORTED: preempted");
  // Who was refused was not served.
  const ServicePerformanceLog log = cluster.Log("server/0");
  EXPECT_EQ(log.served_rpcs().at(0).handler_time_ns().count(), 1);
}

TEST(EngineDispatchTest, MoreThatWaitThanMayBePendingEndTheTraffic) {
  EngineCluster cluster(absl::StrReplaceAll(
      SixAtATime("server_dispatch { mode: 'serial_queue' }") +
          "overload_limits { max_pending_rpcs: 6 }",
      {{"services { name: \"client\" count: 1 }", "services { name: 'client' count: 2 }"}}));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(*cluster.outcome("client/0"),
            absl::ResourceExhaustedError("more than 6 requests wait at server/0 for its serial "
                                         "queue, above overload_limits.max_pending_rpcs"));
}

TEST(EngineDispatchTest, MoreFreshThreadsThanAProcessMayHaveEndTheTraffic) {
  EngineCluster cluster(SixAtATime("server_dispatch { mode: 'fresh_thread' }") +
                        "overload_limits { max_threads: 5 }");
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(*cluster.outcome("client/0"),
            absl::ResourceExhaustedError("server/0 needs more than 5 threads for RPC query, above "
                                         "overload_limits.max_threads"));
}

// --- On threads

constexpr size_t kShards = 3;

// Thirty requests at a time, each of so many iterations of a tenth of a millisecond's work.
std::string Endless(const std::string& dispatch, const std::string& iterations = "") {
  return absl::StrCat(R"(
    name: "endless" default_protocol: "fake" attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" server_dispatch { )",
                      dispatch, R"( } }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" action_names: "spin" }
    actions { name: "ask" rpc_name: "query" iterations { max_parallel_iterations: 30 } }
    actions { name: "spin" activity_config_name: "spin" )",
                      iterations, R"( }
    activity_configs { name: "spin"
      activity_settings { name: "activity_func" string_value: "SpinFor" }
      activity_settings { name: "duration_us" int64_value: 100 } })");
}

class EngineDispatchThreadsTest : public testing::TestWithParam<const char*> {
 protected:
  EngineCluster::Threads threads() {
    return {.clock = &clock_,
            .timers = &timers_,
            .shards = &shards_,
            .pacers = &pacers_,
            .workers = &workers_};
  }

  SystemClock clock_;
  ThreadTimerService timers_{clock_};
  Pacers pacers_{{.clock = &clock_, .shard_count = kShards}};
  ShardThreads shards_{kShards};
  Workers workers_{2};
};

TEST_P(EngineDispatchThreadsTest, EveryRequestIsServedOnceAndItsWorkIsDone) {
  EngineCluster cluster(absl::StrCat(R"(
    name: "dispatched" default_protocol: "fake"
    services { name: "client" count: 2 }
    services { name: "server" count: 2 }
    rpc_descriptions { name: "query" client: "client" server: "server" server_dispatch { )",
                                     GetParam(), R"( } }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" action_names: "work" action_names: "again" action_names: "inner" }
    action_lists { name: "inner" action_names: "work" }
    actions { name: "ask" rpc_name: "query" iterations { max_iteration_count: 300
              max_parallel_iterations: 20 } }
    actions { name: "work" activity_config_name: "sort" }
    actions { name: "again" activity_config_name: "sort" dependencies: "work" }
    actions { name: "inner" action_list_name: "inner" dependencies: "again" }
    activity_configs { name: "sort"
      activity_settings { name: "activity_func" string_value: "ConsumeCpu" }
      activity_settings { name: "array_size" int64_value: 10 } })"),
                        threads());
  cluster.Start();
  cluster.WaitUntilDone();
  for (const char* client : {"client/0", "client/1"}) {
    EXPECT_EQ(cluster.Counts(client, "query").successes, 600) << client;
  }
  for (const char* server : {"server/0", "server/1"}) {
    const ServicePerformanceLog log = cluster.Log(server);
    EXPECT_EQ(log.served_rpcs().at(0).handler_time_ns().count(), 600) << server;
    EXPECT_EQ(log.activity_logs().at("sort").activity_metrics(0).value_int(), 3 * 600) << server;
  }
}

TEST_P(EngineDispatchThreadsTest, CancellationEndsEverythingWhoeverWaits) {
  EngineCluster cluster(Endless(GetParam()), threads());
  cluster.Start();
  while (cluster.engine("client/0").pending_rpcs() < 30) std::this_thread::yield();
  cluster.engine("server/0").CancelTraffic(absl::CancelledError("enough"));
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  cluster.WaitUntilDone();
  EXPECT_EQ(*cluster.outcome("client/0"), absl::CancelledError("enough"));
}

// Nothing that takes a thread may end the process.
TEST_P(EngineDispatchThreadsTest, AThreadThatCannotBeStartedEndsTheTraffic) {
  Workers none(2, {}, [](std::function<void()>) -> absl::StatusOr<std::thread> {
    return absl::ResourceExhaustedError("no more threads");
  });
  EngineCluster::Threads no_threads = threads();
  no_threads.workers = &none;
  EngineCluster cluster(Endless(GetParam(), "iterations { max_parallel_iterations: 2 }"),
                        no_threads);
  cluster.Start();
  cluster.WaitUntilDone();
  const absl::Status outcome = *cluster.outcome("client/0");
  EXPECT_TRUE(absl::IsResourceExhausted(outcome)) << outcome;
  EXPECT_THAT(std::string(outcome.message()),
              testing::AllOf(testing::StartsWith("server/0 needs a thread for "),
                             testing::EndsWith(": no more threads")));
}

INSTANTIATE_TEST_SUITE_P(Modes, EngineDispatchThreadsTest,
                         testing::Values("mode: 'inline'", "mode: 'thread_pool' threads: 3",
                                         "mode: 'serial_queue'", "mode: 'fresh_thread'"));

}  // namespace
}  // namespace distbench
