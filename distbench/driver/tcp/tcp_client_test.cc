// The client side against peers that do what no server of ours does, or that go away.
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/tcp/raw_peer.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr InstanceIndex kPeer(1);

class TcpClientTest : public testing::Test {
 protected:
  ~TcpClientTest() override { driver_->Stop(Soon()); }

  // Connects the driver to the test's listener. One connection, so that it is known which.
  void Connect(const std::string& more_settings = "") {
    TcpSubject settings(
        {.settings = R"(client_settings { name: "connections" int64_value: 1 })" + more_settings});
    auto driver = subject_.factory().Create(settings.options(), subject_.environment());
    ASSERT_TRUE(driver.ok()) << driver.status();
    driver_ = *std::move(driver);
    absl::Notification connected;
    driver_->Connect(kPeer, EncodeEndpoint(listener_.endpoint()), Soon(), [&](absl::Status status) {
      EXPECT_TRUE(status.ok()) << status;
      connected.Notify();
    });
    peer_ = std::make_unique<RawPeer>(listener_.AcceptAndGreet());
    connected.WaitForNotification();
  }

  std::unique_ptr<TestCall> NewCall(int64_t payload_size = 0) {
    auto call = std::make_unique<TestCall>(*driver_);
    call->peer = kPeer;
    call->request = {.head = "request", .payload_size = payload_size};
    return call;
  }

  int64_t InMs(int64_t ms) const {
    return subject_.environment().clock->MonotonicNs() + ms * 1'000'000;
  }

  TcpSubject subject_{{}};
  RawListener listener_;
  std::unique_ptr<ProtocolDriver> driver_;
  std::unique_ptr<RawPeer> peer_;
};

// Ends with an error that says where.
void ExpectUnavailable(const TestCall& call, const std::string& address) {
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kUnavailable) << call.status();
  EXPECT_NE(call.status().message().find(address), std::string::npos) << call.status();
}

TEST_F(TcpClientTest, PeerThatClosesEndsItsCalls) {
  Connect();
  const auto call = NewCall();
  call->Start();
  ASSERT_TRUE(peer_->Receive());
  peer_->Close();
  ExpectUnavailable(*call, listener_.endpoint().ToString());
  EXPECT_NE(call->status().message().find("closed"), std::string::npos) << call->status();
}

TEST_F(TcpClientTest, ConnectionThatBreaksEndsItsCallsWithTheKernelsReason) {
  Connect();
  const auto call = NewCall();
  call->Start();
  ASSERT_TRUE(peer_->Receive());
  peer_->Reset();
  ExpectUnavailable(*call, listener_.endpoint().ToString());
  EXPECT_NE(call->status().message().find("reset by peer"), std::string::npos) << call->status();
}

TEST_F(TcpClientTest, BrokenConnectionIsMadeAgain) {
  Connect();
  const auto call = NewCall();
  call->Start();
  ASSERT_TRUE(peer_->Receive());
  peer_->Reset();
  EXPECT_FALSE(call->Wait().ok());
  RawPeer again = listener_.AcceptAndGreet();
  // The client hears the hello at its own time: calls fail at once until then.
  std::optional<RawFrame> request;
  std::thread server([&] {
    request = again.Receive();
    again.SendFrame(FrameType::kResponse, request->header.id, "back");
  });
  do {
    call->Start();
  } while (!call->Wait().ok());
  server.join();
  EXPECT_EQ(call->response(), "back");
  EXPECT_EQ(request->header.id, CallId{});  // ids begin anew
}

TEST_F(TcpClientTest, FramesThatNoServerSendsEndTheConnection) {
  Connect();
  const auto call = NewCall();
  for (const std::string& frame :
       {EncodeRaw(FrameType::kResponse, {.slot = 1}, "to a call that was never made"),
        EncodeRaw(FrameType::kResponse, {.slot = 0, .generation = 1}, "before its time"),
        EncodeRaw(FrameType::kRequest, {}, "do this"), EncodeRaw(FrameType::kCancel, {}, ""),
        EncodeRaw(FrameType::kOneWay, {}, "take this"),
        EncodeRaw(FrameType::kHello, {}, EncodeHello(HelloRole::kServer)),
        std::string("HTTP/1.1 400 Bad Request\r\n\r\n")}) {
    do {  // until the connection is back
      call->Start();
    } while (call->done() && !call->Wait().ok());
    ASSERT_TRUE(peer_->Receive());
    peer_->Send(frame);
    ExpectUnavailable(*call, listener_.endpoint().ToString());
    *peer_ = listener_.AcceptAndGreet();
  }
}

TEST_F(TcpClientTest, CancelTellsTheServerAndALateAnswerIsIgnored) {
  Connect();
  const auto call = NewCall();
  call->Start();
  const auto request = peer_->Receive();
  ASSERT_TRUE(request);
  call->Cancel();
  EXPECT_EQ(call->Wait().code(), absl::StatusCode::kCancelled);
  const auto cancel = peer_->Receive();
  ASSERT_TRUE(cancel);
  EXPECT_EQ(cancel->header.type, FrameType::kCancel);
  EXPECT_EQ(cancel->header.id, request->header.id);
  call->Start();
  const auto next = peer_->Receive();
  ASSERT_TRUE(next);
  peer_->SendFrame(FrameType::kResponse, request->header.id, "too late");
  peer_->SendFrame(FrameType::kResponse, next->header.id, "in time");
  EXPECT_TRUE(call->Wait().ok()) << call->status();
  EXPECT_EQ(call->response(), "in time");
}

TEST_F(TcpClientTest, DeadlineTellsTheServer) {
  Connect();
  const auto call = NewCall();
  call->deadline_ns = InMs(20);
  call->Start();
  const auto request = peer_->Receive();
  ASSERT_TRUE(request);
  EXPECT_EQ(call->Wait().code(), absl::StatusCode::kDeadlineExceeded);
  const auto cancel = peer_->Receive();
  ASSERT_TRUE(cancel);
  EXPECT_EQ(cancel->header.type, FrameType::kCancel);
  EXPECT_EQ(cancel->header.id, request->header.id);
}

TEST_F(TcpClientTest, CallsThatFindTheQueueFullWaitAndMayEndMeanwhile) {
  Connect(R"(client_settings { name: "max_queued_bytes" int64_value: 1 })");
  // More than the kernel takes: all calls behind it wait.
  constexpr int64_t kLarge = 100 << 20;
  const auto large = NewCall(kLarge);
  large->Start();
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < 6; ++i) calls.push_back(NewCall(i));
  calls[2]->deadline_ns = InMs(20);
  for (const auto& call : calls) call->Start();
  calls[0]->Cancel();
  calls[3]->Cancel();
  EXPECT_EQ(calls[0]->Wait().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(calls[3]->Wait().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(calls[2]->Wait().code(), absl::StatusCode::kDeadlineExceeded);
  // Of those that ended while they waited the server never hears.
  for (const int64_t payload_size : {kLarge, int64_t{1}, int64_t{4}, int64_t{5}}) {
    const auto request = peer_->Receive();
    ASSERT_TRUE(request);
    EXPECT_EQ(request->header.type, FrameType::kRequest);
    EXPECT_EQ(request->body.size(), 7u + static_cast<size_t>(payload_size));
    peer_->SendFrame(FrameType::kResponse, request->header.id, "done");
  }
  for (const auto* call : {large.get(), calls[1].get(), calls[4].get(), calls[5].get()}) {
    EXPECT_TRUE(call->Wait().ok()) << call->status();
  }
}

// Starts `next` when it ends.
class LeadingCall final : public ClientCall {
 public:
  LeadingCall(ProtocolDriver& driver, TestCall& next) : next_(next) {
    driver_state = driver.NewCallState();
  }
  void OnCallDone(const absl::Status&, const ReceivedMessage&) override { next_.Start(); }

 private:
  TestCall& next_;
};

TEST_F(TcpClientTest, CallThatAnAnswerSetsOffGoesTheWayTheAnswerCame) {
  TcpSubject settings({.settings = R"(client_settings { name: "connections" int64_value: 3 })"});
  driver_ = *subject_.factory().Create(settings.options(), subject_.environment());
  absl::Notification connected;
  driver_->Connect(kPeer, EncodeEndpoint(listener_.endpoint()), Soon(),
                   [&](const absl::Status&) { connected.Notify(); });
  std::vector<RawPeer> peers;
  for (int i = 0; i < 3; ++i) peers.push_back(listener_.AcceptAndGreet());
  connected.WaitForNotification();
  // Each connection in turn has one of three calls, each of which sets off another.
  std::vector<std::unique_ptr<TestCall>> followers;
  std::vector<std::unique_ptr<LeadingCall>> leaders;
  for (int i = 0; i < 3; ++i) {
    followers.push_back(NewCall());
    leaders.push_back(std::make_unique<LeadingCall>(*driver_, *followers.back()));
    leaders.back()->peer = kPeer;
    leaders.back()->request = {.head = "request"};
    driver_->StartCall(leaders.back().get());
  }
  for (RawPeer& peer : peers) {
    const auto request = peer.Receive();
    ASSERT_TRUE(request);
    peer.SendFrame(FrameType::kResponse, request->header.id);
    const auto next = peer.Receive();
    ASSERT_TRUE(next);
    peer.SendFrame(FrameType::kResponse, next->header.id);
  }
  for (const auto& follower : followers) EXPECT_TRUE(follower->Wait().ok());
  for (const auto& leader : leaders) driver_->ReleaseCall(leader.get());
}

TEST_F(TcpClientTest, StopEndsCallsThatWaitInAQueue) {
  Connect(R"(client_settings { name: "max_queued_bytes" int64_value: 1 })");
  const auto large = NewCall(100 << 20);
  const auto waiting = NewCall();
  large->Start();
  waiting->Start();
  EXPECT_EQ(driver_->Stop(Soon()), 0);
  EXPECT_EQ(large->status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(waiting->status().code(), absl::StatusCode::kCancelled);
}

// The test's peer never closes its end.
TEST_F(TcpClientTest, StopDoesNotWaitForAFrozenPeer) {
  Connect();
  const auto call = NewCall();
  call->Start();
  EXPECT_EQ(driver_->Stop(absl::InfiniteFuture()), 0);
  EXPECT_EQ(call->status().code(), absl::StatusCode::kCancelled);
}

TEST_F(TcpClientTest, ErrorThatSaysNothingIsAnErrorAllTheSame) {
  Connect();
  const auto call = NewCall();
  call->Start();
  const auto request = peer_->Receive();
  ASSERT_TRUE(request);
  peer_->SendFrame(FrameType::kError, request->header.id, "?");
  EXPECT_EQ(call->Wait().code(), absl::StatusCode::kInvalidArgument) << call->status();
}

}  // namespace
}  // namespace distbench
