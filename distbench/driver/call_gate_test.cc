#include "distbench/driver/call_gate.h"

#include <thread>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr ShardIndex kShard(0);
constexpr ShardIndex kOtherShard(1);

TEST(CallGateTest, RefusesNewCallsOnceClosed) {
  CallGate gate(2);
  EXPECT_TRUE(gate.Enter(kShard));
  gate.Close();
  EXPECT_FALSE(gate.Enter(kShard));
  EXPECT_FALSE(gate.EnterInCallback(kOtherShard));
  EXPECT_FALSE(gate.AwaitEmpty(absl::InfinitePast()));
  gate.Leave(kShard);
  EXPECT_TRUE(gate.AwaitEmpty(absl::InfinitePast()));
}

TEST(CallGateTest, OpenCallsOfAllShardsKeepItFromBeingEmpty) {
  CallGate gate(2);
  ASSERT_TRUE(gate.Enter(kShard));
  ASSERT_TRUE(gate.Enter(kOtherShard));
  gate.Close();
  gate.Leave(kShard);
  EXPECT_FALSE(gate.AwaitEmpty(absl::InfinitePast()));
  gate.Leave(kOtherShard);
  EXPECT_TRUE(gate.AwaitEmpty(absl::InfinitePast()));
}

TEST(CallGateTest, CallbackOfACallThatWasAnsweredKeepsItFromBeingEmpty) {
  CallGate gate(1);
  ASSERT_TRUE(gate.EnterInCallback(kShard));
  gate.Leave(kShard);
  gate.Close();
  EXPECT_FALSE(gate.AwaitEmpty(absl::InfinitePast()));
  gate.EndCallback(kShard);
  EXPECT_TRUE(gate.AwaitEmpty(absl::InfinitePast()));
}

TEST(CallGateTest, OpenCallMayStillCallBackAfterClose) {
  CallGate gate(1);
  ASSERT_TRUE(gate.Enter(kShard));
  gate.Close();
  ASSERT_TRUE(gate.BeginCallback(kShard));
  gate.EndCallbackAndLeave(kShard);
  EXPECT_EQ(gate.Detach(), 0);
}

TEST(CallGateTest, EndCountsWhatHasNotEndedByTheDeadline) {
  CallGate gate(1);
  ASSERT_TRUE(gate.Enter(kShard));
  gate.Close();
  EXPECT_EQ(gate.EndBy(absl::InfinitePast()), 1);
  gate.Leave(kShard);
  EXPECT_EQ(gate.EndBy(absl::InfinitePast()), 0);
}

TEST(CallGateTest, DetachCountsOpenCallsAndRefusesTheirCallbacks) {
  CallGate gate(2);
  ASSERT_TRUE(gate.Enter(kShard));
  ASSERT_TRUE(gate.Enter(kShard));
  ASSERT_TRUE(gate.Enter(kOtherShard));
  gate.Close();
  EXPECT_EQ(gate.Detach(), 3);
  EXPECT_FALSE(gate.BeginCallback(kShard));
}

TEST(CallGateTest, DetachWaitsForTheCallbackThatRuns) {
  CallGate gate(1);
  int written_by_callback = 0;
  absl::Notification callback_runs;
  absl::Notification detaching;
  std::thread thread([&] {
    ASSERT_TRUE(gate.EnterInCallback(kShard));
    callback_runs.Notify();
    detaching.WaitForNotification();
    written_by_callback = 1;
    gate.EndCallbackAndLeave(kShard);
  });
  callback_runs.WaitForNotification();
  gate.Close();
  detaching.Notify();
  EXPECT_EQ(gate.Detach(), 0);
  EXPECT_EQ(written_by_callback, 1);
  thread.join();
}

TEST(CallGateTest, AwaitEmptyEndsWhenTheLastCallLeaves) {
  CallGate gate(1);
  ASSERT_TRUE(gate.Enter(kShard));
  gate.Close();
  std::thread thread([&] { gate.Leave(kShard); });
  EXPECT_TRUE(gate.AwaitEmpty(absl::InfiniteFuture()));
  thread.join();
}

}  // namespace
}  // namespace distbench
