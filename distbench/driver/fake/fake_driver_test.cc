#include "distbench/driver/fake/fake_driver.h"

#include <memory>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/driver/fake/fake_subject.h"
#include "distbench/testing/simulated_time.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr size_t kPeerCount = 3;

INSTANTIATE_TEST_SUITE_P(
    Fake, DriverConformanceTest,
    testing::Values(FakeSubjectMaker("AtOnce", {.mode = FakeTransit::Mode::kAtOnce}),
                    FakeSubjectMaker("Delayed",
                                     {.mode = FakeTransit::Mode::kDelayed, .delay_ns = 10'000})),
    [](const auto& maker) { return maker.param.name; });

// Two fakes on simulated time.
class FakeDriverTest : public testing::Test {
 protected:
  FakeDriverTest() : client_(&network_, Environment()), server_(&network_, Environment()) {}

  void Start(RequestHandler* handler) {
    ASSERT_TRUE(server_.StartServer(handler).ok());
    client_.Connect(InstanceIndex(1), *server_.AcceptConnection(""), absl::InfiniteFuture(),
                    [](absl::Status status) { ASSERT_TRUE(status.ok()) << status; });
    call_ = std::make_unique<TestCall>(client_);
    call_->peer = InstanceIndex(1);
  }
  ~FakeDriverTest() override {
    EXPECT_EQ(client_.Stop(absl::InfinitePast()), 0);
    EXPECT_EQ(server_.Stop(absl::InfinitePast()), 0);
    EXPECT_FALSE(time_.RunNextTimer());  // nothing is left armed
  }
  DriverEnvironment Environment() {
    return {.clock = &time_, .timers = &time_, .peer_count = kPeerCount};
  }

  SimulatedTime time_;
  FakeNetwork network_;
  FakeDriver client_;
  FakeDriver server_;
  std::unique_ptr<TestCall> call_;
};

TEST_F(FakeDriverTest, CompletesInsideStartCall) {
  TestServer handler(Echo);
  Start(&handler);
  call_->Start();
  EXPECT_TRUE(call_->done());
}

TEST_F(FakeDriverTest, DelayedRequestArrivesAtItsTime) {
  TestServer handler(Echo);
  Start(&handler);
  network_.SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 500});
  call_->Start();
  time_.AdvanceBy(499);
  EXPECT_FALSE(call_->done());
  time_.AdvanceBy(1);
  EXPECT_TRUE(call_->done());
}

TEST_F(FakeDriverTest, HeldRequestsArriveWhenTheTestSaysSo) {
  TestServer handler(Echo);
  Start(&handler);
  network_.SetTransit({.mode = FakeTransit::Mode::kHeld});
  call_->Start();
  EXPECT_FALSE(call_->done());
  EXPECT_EQ(network_.DeliverHeld(), 1u);
  EXPECT_TRUE(call_->done());
  EXPECT_EQ(network_.DeliverHeld(), 0u);
}

TEST_F(FakeDriverTest, RequestOfACancelledCallIsNotDelivered) {
  TestServer handler;
  Start(&handler);
  network_.SetTransit({.mode = FakeTransit::Mode::kHeld});
  call_->Start();
  call_->Cancel();
  network_.DeliverHeld();
  network_.SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 500});
  call_->Start();
  call_->Cancel();
  time_.AdvanceBy(1000);
  EXPECT_EQ(handler.kept(), 0u);
}

TEST_F(FakeDriverTest, LostRequestEndsByItsDeadline) {
  TestServer handler(Echo);
  Start(&handler);
  network_.SetTransit({.mode = FakeTransit::Mode::kNever});
  call_->deadline_ns = time_.MonotonicNs() + 1000;
  call_->Start();
  time_.AdvanceBy(999);
  EXPECT_FALSE(call_->done());
  time_.AdvanceBy(1);
  EXPECT_EQ(call_->status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(FakeDriverTest, LostRequestWithoutDeadlineEndsByStop) {
  TestServer handler(Echo);
  Start(&handler);
  network_.SetTransit({.mode = FakeTransit::Mode::kNever});
  call_->Start();
  EXPECT_FALSE(call_->done());
}

TEST_F(FakeDriverTest, FailingNetworkFailsCalls) {
  TestServer handler(Echo);
  Start(&handler);
  network_.FailCalls(absl::DataLossError("cut"));
  call_->Start();
  EXPECT_EQ(call_->status(), absl::DataLossError("cut"));
  network_.FailCalls(absl::OkStatus());
  call_->Start();
  EXPECT_TRUE(call_->status().ok());
}

}  // namespace
}  // namespace distbench
