// How calls are answered: at once, later, on another thread, with an error, by nobody.
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {

namespace {

TEST_P(DriverConformanceTest, AnswerGivenInsideOnRequestArrives) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.request = {.head = "hello"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(call.response(), "hello");
}

TEST_P(DriverConformanceTest, AnswerGivenLaterOnAnotherThreadArrives) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.Start();
  Responder responder = handler.Take();
  EXPECT_FALSE(call.done());
  std::thread([&] { std::move(responder).Respond({.head = "late"}); }).join();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(call.response(), "late");
}

TEST_P(DriverConformanceTest, CallsAreAnsweredInAnyOrder) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall first(*pair.client);
  TestCall second(*pair.client);
  first.peer = second.peer = kServer;
  first.Start();
  Responder first_responder = handler.Take();
  second.Start();
  handler.Take().Respond({.head = "second"});
  EXPECT_TRUE(second.Wait().ok());
  EXPECT_EQ(second.response(), "second");
  EXPECT_FALSE(first.done());
  first_responder.Respond({.head = "first"});
  EXPECT_TRUE(first.Wait().ok());
  EXPECT_EQ(first.response(), "first");
}

TEST_P(DriverConformanceTest, CallObjectServesManyRpcs) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (int i = 0; i < 200; ++i) {
    const std::string request = "request " + std::to_string(i);
    call.request = {.head = request};
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    ASSERT_EQ(call.response(), request);
  }
}

// Each end of a call starts the next one from within, on the same object.
class ChainedCall final : public ClientCall {
 public:
  ChainedCall(ProtocolDriver& driver, int count) : driver_(driver), left_(count) {
    driver_state = driver.NewCallState();
  }
  void StartNext() { driver_.StartCall(this); }
  void Wait() { finished_.WaitForNotification(); }

  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
    EXPECT_TRUE(status.ok()) << status;
    driver_.ReleaseCall(this);
    if (--left_ == 0) {
      finished_.Notify();
    } else {
      StartNext();
    }
  }

 private:
  ProtocolDriver& driver_;
  int left_;
  absl::Notification finished_;
};

TEST_P(DriverConformanceTest, CallObjectMayBeReusedInsideOnCallDone) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  ChainedCall call(*pair.client, 100);
  call.peer = kServer;
  call.request = {.head = "again", .payload_size = 100};
  call.StartNext();
  call.Wait();
}

TEST_P(DriverConformanceTest, ErrorOfTheServerArrivesWithCodeAndMessage) {
  TestServer handler([](const ReceivedMessage&, Responder responder) {
    responder.RespondError(absl::ResourceExhaustedError("no more room"));
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(call.status().message().find("no more room"), std::string::npos) << call.status();
  EXPECT_EQ(call.response(), "");
}

TEST_P(DriverConformanceTest, DroppedResponderAnswersWithAnError) {
  TestServer handler([](const ReceivedMessage&, Responder) {});
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kInternal) << call.status();
}

TEST_P(DriverConformanceTest, InstanceMayCallItself) {
  TestServer handler(Echo);
  auto driver = NewServer(&handler);
  ConnectTo(*driver, *driver);
  TestCall call(*driver);
  call.peer = kServer;
  call.request = {.head = "me"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(call.response(), "me");
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, EachPeerGetsTheCallsThatAreMeantForIt) {
  TestServer first([](const ReceivedMessage&, Responder r) { r.Respond({.head = "first"}); });
  TestServer second([](const ReceivedMessage&, Responder r) { r.Respond({.head = "second"}); });
  ConnectedPair pair(NewDriver(), NewServer(&first));
  auto other_server = NewServer(&second);
  ConnectTo(*pair.client, *pair.server, InstanceIndex(0));
  ConnectTo(*pair.client, *other_server, InstanceIndex(1));
  TestCall call(*pair.client);
  for (int i = 0; i < 3; ++i) {
    call.peer = InstanceIndex(0);
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    EXPECT_EQ(call.response(), "first");
    call.peer = InstanceIndex(1);
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    EXPECT_EQ(call.response(), "second");
  }
  EXPECT_EQ(other_server->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, FlushOfAnyShardIsHarmless) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  for (size_t shard = 0; shard < subject_->shard_count(); ++shard) {
    pair.client->Flush(ShardIndex(shard));
  }
}

}  // namespace
}  // namespace distbench
