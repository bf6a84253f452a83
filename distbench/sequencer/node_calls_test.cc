#include "distbench/sequencer/node_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "distbench/sequencer/simulated_events.h"
#include "distbench/sequencer/simulated_mailbox.h"

namespace distbench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

// Calls that answer with their node's position, each after a time of its own.
class NodeCallsTest : public testing::Test {
 protected:
  struct Call final : NodeCall {
    void Cancel() override { Finish(absl::CancelledError("cancelled")); }
    void Finish(absl::StatusOr<int> answer) {
      if (done != nullptr) std::exchange(done, nullptr)(std::move(answer));
    }
    NodeDone<int> done;
  };

  NodeCalls<int>::StartCall Answering(std::vector<int64_t> delays_ns) {
    return [this, delays_ns](NodeIndex node, int64_t timeout_ns, NodeDone<int> done) {
      most_in_flight_ = std::max(most_in_flight_, ++in_flight_);
      timeouts_ns_.push_back(timeout_ns);
      auto call = std::make_shared<Call>();
      call->done = [this, done](absl::StatusOr<int> answer) {
        --in_flight_;
        done(std::move(answer));
      };
      const absl::StatusOr<int> answer = failing_ == node
                                             ? absl::StatusOr<int>(absl::InternalError("broken"))
                                             : absl::StatusOr<int>(node.value());
      const int64_t delay_ns = delays_ns[node.value()];
      if (delay_ns == 0) {
        call->Finish(answer);
      } else {
        events_.After(delay_ns, [call, answer] { call->Finish(answer); });
      }
      return call;
    };
  }

  SimulatedTime time_;
  SimulatedEvents events_{time_};
  SimulatedMailbox mailbox_{time_};
  const CallContext context_{time_, time_, mailbox_};
  int in_flight_ = 0;
  int most_in_flight_ = 0;
  std::vector<int64_t> timeouts_ns_;
  std::optional<NodeIndex> failing_;
};

TEST_F(NodeCallsTest, AnswersKeepTheOrderOfTheNodesWhateverTheOrderOfTheirComing) {
  NodeCalls<int> calls(context_, 3, {.timeout_ns = kSecondNs}, Answering({300, 0, 200}));
  calls.Await({});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(calls.answer(NodeIndex(i))->value(), i);
  EXPECT_EQ(calls.failures(), 0u);
}

TEST_F(NodeCallsTest, NoMoreCallsAreUnderWayThanAllowedAndAllShareOneDeadline) {
  NodeCalls<int> calls(context_, 5, {.timeout_ns = kSecondNs, .max_in_flight = 2},
                       Answering({100, 100, 100, 100, 100}));
  calls.Await({});
  EXPECT_EQ(most_in_flight_, 2);
  EXPECT_EQ(timeouts_ns_, (std::vector<int64_t>{kSecondNs, kSecondNs, kSecondNs - 100,
                                                kSecondNs - 100, kSecondNs - 200}));
}

TEST_F(NodeCallsTest, CallsThatTheDeadlineLeavesNoTimeForAreNotMade) {
  NodeCalls<int> calls(context_, 3, {.timeout_ns = 100, .max_in_flight = 1},
                       Answering({150, 1, 1}));
  calls.Await({});
  EXPECT_EQ(timeouts_ns_.size(), 1u);
  EXPECT_EQ(calls.answer(NodeIndex(2))->status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(NodeCallsTest, AThousandImmediateAnswersDoNotNest) {
  NodeCalls<int> calls(context_, 1000, {.timeout_ns = kSecondNs, .max_in_flight = 1},
                       Answering(std::vector<int64_t>(1000, 0)));
  calls.Await({});
  EXPECT_TRUE(calls.all_finished());
}

TEST_F(NodeCallsTest, AStopEndsTheCallsUnderWayAndThoseNotBegun) {
  StopSignal stop;
  NodeCalls<int> calls(context_, 3, {.timeout_ns = kSecondNs, .max_in_flight = 2},
                       Answering({10, kSecondNs / 2, kSecondNs / 2}));
  events_.After(50, [&] { mailbox_.Post([&] { stop.Request(absl::CancelledError("enough")); }); });
  const int64_t begin_ns = time_.MonotonicNs();
  calls.Await({.stop = &stop});
  EXPECT_EQ(time_.MonotonicNs(), begin_ns + 50);
  EXPECT_TRUE(calls.answer(NodeIndex(0))->ok());
  EXPECT_EQ(calls.answer(NodeIndex(1))->status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(calls.answer(NodeIndex(2))->status().code(), absl::StatusCode::kCancelled);
}

TEST_F(NodeCallsTest, AfterAFailureOthersHaveTheGraceToAnswer) {
  failing_ = NodeIndex(0);
  NodeCalls<int> calls(context_, 3, {.timeout_ns = kSecondNs}, Answering({10, 50, 500}));
  const int64_t begin_ns = time_.MonotonicNs();
  calls.Await({.after_failure_ns = 100});
  EXPECT_EQ(time_.MonotonicNs(), begin_ns + 10 + 100);
  EXPECT_EQ(calls.answer(NodeIndex(0))->status().code(), absl::StatusCode::kInternal);
  EXPECT_TRUE(calls.answer(NodeIndex(1))->ok());
  EXPECT_EQ(calls.answer(NodeIndex(2))->status().code(), absl::StatusCode::kCancelled);
}

TEST_F(NodeCallsTest, WithoutAGraceAFailureHurriesNobody) {
  failing_ = NodeIndex(0);
  NodeCalls<int> calls(context_, 2, {.timeout_ns = kSecondNs}, Answering({10, 500}));
  calls.Await({});
  EXPECT_TRUE(calls.answer(NodeIndex(1))->ok());
  EXPECT_EQ(calls.failures(), 1u);
}

TEST_F(NodeCallsTest, DestructionEndsWhatIsUnderWay) {
  { NodeCalls<int> calls(context_, 2, {.timeout_ns = kSecondNs}, Answering({100, 200})); }
  EXPECT_EQ(in_flight_, 0);
}

}  // namespace
}  // namespace distbench
