// One-way messages on the wire: frames, credits, and peers that break their rules.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/tcp/raw_peer.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr InstanceIndex kPeer(1);

// --- The client, connected to a peer in the test's hands

class TcpOneWayClientTest : public testing::Test {
 protected:
  ~TcpOneWayClientTest() override {
    if (driver_ != nullptr) driver_->Stop(Soon());
  }

  void Connect(const std::string& more_settings = "") {
    TcpSubject settings(
        {.settings = R"(client_settings { name: "connections" int64_value: 1 })" + more_settings});
    driver_ = *subject_.factory().Create(settings.options(), subject_.environment());
    absl::Notification connected;
    driver_->Connect(kPeer, EncodeEndpoint(listener_.endpoint()), Soon(), [&](absl::Status status) {
      EXPECT_TRUE(status.ok()) << status;
      connected.Notify();
    });
    peer_ = std::make_unique<RawPeer>(listener_.AcceptAndGreet());
    connected.WaitForNotification();
  }

  void Start(size_t count, int64_t payload_size = 0) {
    for (size_t i = 0; i < count; ++i) {
      TestCall& call = *calls_.emplace_back(std::make_unique<TestCall>(*driver_));
      call.peer = kPeer;
      call.one_way = true;
      call.request = {.head = "message", .payload_size = payload_size};
      call.Start();
    }
  }

  size_t CountDone() const {
    size_t done = 0;
    for (const auto& call : calls_) done += call->done() ? 1 : 0;
    return done;
  }

  void ExpectMessages(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const auto frame = peer_->Receive();
      ASSERT_TRUE(frame);
      ASSERT_EQ(frame->header.type, FrameType::kOneWay);
      ASSERT_EQ(frame->body.substr(0, 7), "message");
    }
  }

  std::map<std::string, int64_t> Statistics() const {
    std::map<std::string, int64_t> statistics;
    for (const DriverStatistic& one : driver_->Statistics()) statistics[one.name] = one.value;
    return statistics;
  }

  TcpSubject subject_{{}};
  RawListener listener_;
  std::unique_ptr<ProtocolDriver> driver_;
  std::unique_ptr<RawPeer> peer_;
  std::vector<std::unique_ptr<TestCall>> calls_;
};

TEST_F(TcpOneWayClientTest, SendsAsManyAsThereIsCreditFor) {
  Connect();
  Start(kOneWayWindow + 10);
  EXPECT_EQ(CountDone(), kOneWayWindow);
  ExpectMessages(kOneWayWindow);
  peer_->SendFrame(FrameType::kCredit, {.slot = 3});
  ExpectMessages(3);
  for (size_t i = 0; i < kOneWayWindow + 3; ++i) ASSERT_TRUE(calls_[i]->Wait().ok());
  EXPECT_EQ(CountDone(), kOneWayWindow + 3);
  peer_->SendFrame(FrameType::kCredit, {.slot = 100});
  ExpectMessages(7);
  for (const auto& call : calls_) ASSERT_TRUE(call->Wait().ok());
}

TEST_F(TcpOneWayClientTest, DrainsWhenCreditForTheLastMessageHasCome) {
  Connect();
  Start(10);
  ExpectMessages(10);
  absl::Notification drained;
  driver_->DrainOneWay([&] { drained.Notify(); });
  peer_->SendFrame(FrameType::kCredit, {.slot = 9});
  // An answer behind the credit tells that this has come.
  TestCall call(*driver_);
  call.peer = kPeer;
  call.Start();
  peer_->SendFrame(FrameType::kResponse, peer_->Receive()->header.id);
  ASSERT_TRUE(call.Wait().ok());
  EXPECT_FALSE(drained.HasBeenNotified());
  peer_->SendFrame(FrameType::kCredit, {.slot = 1});
  drained.WaitForNotification();
  EXPECT_EQ(Statistics()["client_one_way_lost"], 0);
}

// Many times what the queue and the kernel hold.
TEST_F(TcpOneWayClientTest, MessagesThatAFullQueueDoesNotTakeGoOutWhenThereIsRoom) {
  Connect(R"(client_settings { name: "max_queued_bytes" int64_value: 10000 })");
  constexpr size_t kMessages = 100;
  Start(kMessages, 1'000'000);
  EXPECT_LT(CountDone(), kMessages);
  ExpectMessages(kMessages);
  for (const auto& call : calls_) ASSERT_TRUE(call->Wait().ok()) << call->status();
}

TEST_F(TcpOneWayClientTest, CallsThatWaitForTheQueueAreCancelledAndLeaveTheirCreditToOthers) {
  Connect(R"(client_settings { name: "max_queued_bytes" int64_value: 10000 })");
  Start(kOneWayWindow + 1, 100'000);
  ASSERT_FALSE(calls_[kOneWayWindow - 1]->done());
  calls_[kOneWayWindow - 1]->Cancel();
  EXPECT_TRUE(absl::IsCancelled(calls_[kOneWayWindow - 1]->Wait()));
  ExpectMessages(kOneWayWindow);
  EXPECT_TRUE(calls_.back()->Wait().ok());
}

// The last that anybody waits for may be a message that is never sent.
TEST_F(TcpOneWayClientTest, DrainsWhenTheLastThatWaitedIsCancelled) {
  Connect(R"(client_settings { name: "max_queued_bytes" int64_value: 10000 })");
  TestCall call(*driver_);
  call.peer = kPeer;
  call.Start();
  const CallId id = peer_->Receive()->header.id;
  // More than the queue and the kernel hold. What is given credit has not all been read.
  constexpr uint32_t kMessages = 100;
  Start(kMessages, 1'000'000);
  absl::Notification drained;
  driver_->DrainOneWay([&] { drained.Notify(); });
  peer_->SendFrame(FrameType::kCredit, {.slot = kMessages - 1});
  peer_->SendFrame(FrameType::kResponse, id);
  ASSERT_TRUE(call.Wait().ok());
  EXPECT_FALSE(drained.HasBeenNotified());
  calls_.back()->Cancel();
  EXPECT_TRUE(absl::IsCancelled(calls_.back()->Wait()));
  EXPECT_TRUE(drained.HasBeenNotified());
}

TEST_F(TcpOneWayClientTest, WhatIsLostWithItsConnectionIsCounted) {
  Connect();
  Start(5);
  ExpectMessages(5);
  absl::Notification drained;
  driver_->DrainOneWay([&] { drained.Notify(); });
  peer_->SendFrame(FrameType::kCredit, {.slot = 2});
  peer_->Close();
  drained.WaitForNotification();
  EXPECT_EQ(Statistics()["client_one_way_lost"], 3);
  for (const auto& call : calls_) EXPECT_TRUE(call->status().ok());
}

TEST_F(TcpOneWayClientTest, CreditForMoreThanWasSentEndsTheConnection) {
  Connect();
  Start(2);
  ExpectMessages(2);
  peer_->SendFrame(FrameType::kCredit, {.slot = 3});
  peer_->AwaitEnd();
}

// --- The server, and a client in the test's hands

class TcpOneWayServerTest : public testing::Test {
 protected:
  TcpOneWayServerTest() {
    driver_ = *subject_.factory().Create(subject_.options(), subject_.environment());
    EXPECT_TRUE(driver_->StartServer(&handler_).ok());
    peer_ = std::make_unique<RawPeer>(
        RawPeer::ConnectTo(*ParseEndpoint(*driver_->AcceptConnection(""))));
    peer_->SendHello(HelloRole::kClient);
    EXPECT_TRUE(peer_->Receive());
  }
  ~TcpOneWayServerTest() override {
    handler_.AnswerAll();
    driver_->Stop(Soon());
  }

  void Send(size_t count) {
    std::string bytes;
    for (size_t i = 0; i < count; ++i) bytes += EncodeRaw(FrameType::kOneWay, {}, "message");
    peer_->Send(bytes);
  }

  std::vector<Responder> Take(size_t count) {
    std::vector<Responder> responders;
    while (responders.size() < count) responders.push_back(handler_.Take());
    return responders;
  }

  void ExpectCredit(uint32_t credits) {
    const auto frame = peer_->Receive();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->header.type, FrameType::kCredit);
    EXPECT_EQ(frame->header.id.slot, credits);
  }

  TestServer handler_;
  TcpSubject subject_{{}};
  std::unique_ptr<ProtocolDriver> driver_;
  std::unique_ptr<RawPeer> peer_;
};

TEST_F(TcpOneWayServerTest, CreditIsGivenInBatchesAndForTheLast) {
  Send(kCreditBatch + 10);
  std::vector<Responder> responders = Take(kCreditBatch + 10);
  for (Responder& responder : responders) responder.Respond({.head = "nobody reads this"});
  ExpectCredit(kCreditBatch);
  ExpectCredit(10);
}

TEST_F(TcpOneWayServerTest, AMessageThatIsRefusedOrDroppedIsServedToo) {
  Send(2);
  std::vector<Responder> responders = Take(2);
  responders[0].RespondError(absl::InternalError("no"));
  responders.clear();
  ExpectCredit(2);
}

TEST_F(TcpOneWayServerTest, MoreThanTheWindowEndsTheConnection) {
  Send(kOneWayWindow);
  std::vector<Responder> responders = Take(kOneWayWindow);
  Send(1);
  peer_->AwaitEnd();
  EXPECT_EQ(handler_.kept(), 0u) << "what was too much is not served";
}

}  // namespace
}  // namespace distbench
