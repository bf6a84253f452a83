#include "distbench/node/node_request.h"

#include <cstdint>

#include "distbench/testing/simulated_time.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

TEST(NodeRequestTest, AnAgreedStartIsThatOfMainListsAndOfReplays) {
  SimulatedTime time;
  RunTrafficRequest request;
  request.mutable_agreed_start()->set_start_timestamp_ns(time.WallNs() + 3 * kSecondNs);
  const auto start = StartOf(request, time);
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->start_ns, time.MonotonicNs() + 3 * kSecondNs);
  EXPECT_EQ(start->replay_origin_ns, start->start_ns);
}

TEST(NodeRequestTest, WithoutAnAgreementListsStartAtOnceAndReplaysCountFromASecondLater) {
  SimulatedTime time;
  RunTrafficRequest request;
  request.set_start_timestamp_ns(12345);  // of the sequencer's own clock
  const auto start = StartOf(request, time);
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->start_ns, time.MonotonicNs());
  EXPECT_EQ(start->replay_origin_ns, time.MonotonicNs() + kSecondNs);
}

TEST(NodeRequestTest, AStartThatIsFarFromTheNodesClockIsRefused) {
  SimulatedTime time;
  RunTrafficRequest request;
  request.mutable_agreed_start()->set_start_timestamp_ns(time.WallNs() + 3601 * kSecondNs);
  EXPECT_EQ(StartOf(request, time).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace distbench
