// One-way RPCs on the fake driver, on simulated time: what ends when, and what is counted.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Adds an activity `nap` that sleeps for a millisecond, and makes it the work of the RPC.
std::string WithNap(const std::string& config) {
  return absl::StrCat(
      absl::StrReplaceAll(config, {{"action_lists { name: \"query\" }",
                                    "action_lists { name: 'query' action_names: 'nap' }"}}),
      "actions { name: 'nap' activity_config_name: 'nap' }"
      "activity_configs { name: 'nap'"
      " activity_settings { name: 'activity_func' string_value: 'SleepFor' }"
      " activity_settings { name: 'duration_us' int64_value: 1000 } }");
}

TEST(EngineOneWayTest, TheCallerDoesNotWaitForTheWork) {
  EngineCluster cluster(
      WithNap(ClientServer("iterations { max_iteration_count: 30 }", 1, "one_way: true")));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.successes, 30);
  for (const RpcSample& sample : counts.samples) {
    EXPECT_EQ(sample.latency_ns(), 0);
    EXPECT_EQ(sample.request_size(), 16);
    EXPECT_EQ(sample.response_size(), 0);
  }
  EXPECT_EQ(cluster.Log("client/0").one_way_rpcs().at(0), HANDED_OVER);
}

TEST(EngineOneWayTest, TrafficEndsWhenAllThatWasSentIsServed) {
  EngineCluster cluster(WithNap(ClientServer("iterations { max_iteration_count: 500 }", 2,
                                             "one_way: true fanout_filter: 'round_robin'")));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 500);
  for (const char* server : {"server/0", "server/1"}) {
    const Histogram times = cluster.Log(server).served_rpcs().at(0).handler_time_ns();
    EXPECT_EQ(times.count(), 250) << server;
    EXPECT_EQ(times.min(), kMs);
  }
}

// 64 are on their way at a time, each for a millisecond and another one of work.
TEST(EngineOneWayTest, ASlowReceiverHoldsUpTheSender) {
  EngineCluster cluster(
      WithNap(ClientServer("iterations { max_iteration_count: 640 }", 1, "one_way: true")));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.time().MonotonicNs() - cluster.start_ns(), 10 * 2 * kMs);
  int64_t waited = 0;
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    waited += sample.latency_ns() > 0 ? 1 : 0;
  }
  EXPECT_EQ(waited, 9);  // the one of the closed loop, whenever the window was full
}

TEST(EngineOneWayTest, MoreThatWaitThanMayBePendingEndTheTraffic) {
  EngineCluster cluster(
      ClientServer("iterations { open_loop_interval_ns: 1000 }", 1, "one_way: true") +
      "overload_limits { max_pending_rpcs: 50 }");
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(absl::IsResourceExhausted(*cluster.outcome("client/0")));
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 64);
  EXPECT_EQ(cluster.Counts("client/0", "query").cancelled, 51);
}

TEST(EngineOneWayTest, CancellationDoesNotWaitForPeers) {
  EngineCluster cluster(
      WithNap(ClientServer("iterations { max_iteration_count: 3 }", 1, "one_way: true")));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.engine("client/0").pending_rpcs(), 0);
  cluster.engine("client/0").CancelTraffic(absl::AbortedError("enough"));
  EXPECT_EQ(*cluster.outcome("client/0"), absl::AbortedError("enough"));
}

// A caller whose driver wants an answer to everything.
class Caller final : public ClientCall {
 public:
  Caller(const EngineCluster& cluster, ProtocolDriver& driver) : cluster_(cluster) {
    driver_state = driver.NewCallState();
    peer = cluster.plan().instance_by_name.at("server/0");
  }
  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(response.size, 2);
    answered_ns = const_cast<EngineCluster&>(cluster_).time().MonotonicNs();
  }
  int64_t answered_ns = 0;

 private:
  const EngineCluster& cluster_;
};

TEST(EngineOneWayTest, WhereTheTransportNeedsAnAnswerItComesBeforeTheWork) {
  EngineCluster cluster(
      WithNap(ClientServer("iterations { max_iteration_count: 1 }", 1, "one_way: true")));
  cluster.Connect();
  FakeDriver driver(&cluster.network(),
                    {.clock = &cluster.time(), .timers = &cluster.time(), .peer_count = 2});
  driver.Connect(InstanceIndex(1), *cluster.engine("server/0").driver().AcceptConnection(""),
                 absl::InfiniteFuture(),
                 [](const absl::Status& status) { ASSERT_TRUE(status.ok()) << status; });
  Caller caller(cluster, driver);
  HeadBuffer head;
  caller.request = head.EncodeRequest({.rpc_index = 0}, 0);
  const int64_t start_ns = cluster.time().MonotonicNs();
  driver.StartCall(&caller);
  EXPECT_EQ(caller.answered_ns, start_ns);
  cluster.time().RunNextTimer();
  EXPECT_EQ(cluster.time().MonotonicNs(), start_ns + kMs);
  const Histogram times = cluster.Log("server/0").served_rpcs().at(0).handler_time_ns();
  EXPECT_EQ(times.count(), 1);
  EXPECT_EQ(times.min(), kMs);
  driver.Stop(absl::InfinitePast());
}

}  // namespace
}  // namespace distbench
