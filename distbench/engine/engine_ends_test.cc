// The engine's ends on simulated time: failures, deadlines, cancellation, overload.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(EngineEndsTest, AFailedRpcIsCountedApartWithItsTextAndTheLoopGoesOn) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.network().FailCalls(absl::UnavailableError("gone"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(cluster.outcome("client/0")->ok());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const RpcStatistics& statistics = log.rpc_statistics().at(0);
  EXPECT_EQ(statistics.measured_success().count(), 0);
  EXPECT_EQ(statistics.measured_failure().count(), 3);
  ASSERT_EQ(log.error_dictionary().error_message_size(), 2);
  EXPECT_EQ(log.error_dictionary().error_message(1), "UNAVAILABLE: gone");
}

TEST(EngineEndsTest, ACallPastItsDeadlineFails) {
  EngineCluster cluster(ClientServer("", 1, "deadline_us: 2000"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").failures, 1);
  EXPECT_EQ(cluster.time().MonotonicNs(), cluster.start_ns() + 2 * kMs);
}

TEST(EngineEndsTest, CancellationEndsCallsInFlightAndCountsThemApart) {
  EngineCluster cluster(ClientServer("iterations { max_parallel_iterations: 8 }"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  EXPECT_FALSE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.engine("client/0").pending_rpcs(), 8);
  cluster.engine("client/0").CancelTraffic(absl::AbortedError("preempted"));
  ASSERT_TRUE(cluster.outcome("client/0").has_value());
  EXPECT_EQ(*cluster.outcome("client/0"), absl::AbortedError("preempted"));
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.cancelled, 8);
  EXPECT_EQ(counts.failures, 0);
  EXPECT_EQ(counts.successes, 0);
}

TEST(EngineEndsTest, CancellationEndsAnOpenLoopThatWaitsForItsNextArrival) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 60000000000 }"));
  cluster.Start();
  cluster.time().RunNextTimer();
  EXPECT_FALSE(cluster.outcome("client/0").has_value());
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  EXPECT_TRUE(cluster.outcome("client/0").has_value());
}

TEST(EngineEndsTest, CancellationBeforeTheStartEndsTheTrafficWithoutAnyRpc) {
  EngineCluster cluster(ClientServer("iterations { max_iteration_count: 3 }"));
  cluster.Connect();
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("too early"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(*cluster.outcome("client/0"), absl::CancelledError("too early"));
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 0);
}

TEST(EngineEndsTest, ACancelledServerTellsItsCallersWhy) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect();
  cluster.engine("server/0").CancelTraffic(absl::AbortedError("preempted"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  EXPECT_EQ(log.rpc_statistics().at(0).measured_failure().count(), 1);
  EXPECT_EQ(log.error_dictionary().error_message(1), "Traffic cancelled: ABORTED: preempted");
}

TEST(EngineEndsTest, AnOverloadedServerEndsTheTrafficOfItsCallersToo) {
  EngineCluster cluster(ClientServer("iterations { max_parallel_iterations: 2 }"));
  cluster.Connect();
  cluster.engine("server/0").CancelTraffic(absl::ResourceExhaustedError("too many threads"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(absl::IsResourceExhausted(*cluster.outcome("client/0")));
}

TEST(EngineEndsTest, MoreOutstandingRpcsThanTheLimitEndTheTraffic) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 1000 }") +
                        "overload_limits { max_pending_rpcs: 50 }");
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(absl::IsResourceExhausted(*cluster.outcome("client/0")));
  EXPECT_EQ(cluster.Counts("client/0", "query").cancelled, 51);
}

TEST(EngineEndsTest, CallsThatNeverEndAreCountedAsAbandoned) {
  EngineCluster cluster(ClientServer("iterations { open_loop_interval_ns: 1000 }"));
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kHeld});
  cluster.Start();
  for (int i = 0; i < 10; ++i) cluster.time().RunNextTimer();
  EXPECT_EQ(cluster.Counts("client/0", "query").abandoned, 10);
}

TEST(EngineEndsTest, RequestsForUnknownRpcsGetTheErrorsThatPeersKnow) {
  EngineCluster cluster(ClientServer(""));
  cluster.Connect();
  class Probe final : public ClientCall {
   public:
    void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_TRUE(DecodeResponse(response, &error).ok());
    }
    std::string error;
  };
  ProtocolDriver& driver = cluster.engine("client/0").driver();
  for (const auto& [rpc_index, expected] : std::vector<std::pair<int32_t, std::string>>{
           {7, "rpc_index out of range: 7"}, {-1, "rpc_index out of range: -1"}}) {
    HeadBuffer buffer;
    Probe probe;
    probe.driver_state = driver.NewCallState();
    probe.peer = cluster.plan().instance_by_name.at("server/0");
    probe.request = buffer.EncodeRequest({.rpc_index = rpc_index}, 0);
    driver.StartCall(&probe);
    EXPECT_EQ(probe.error, expected);
  }
}

}  // namespace
}  // namespace distbench
