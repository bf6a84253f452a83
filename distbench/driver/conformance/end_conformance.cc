// How calls end without an answer: by a deadline, by a cancel, by a peer that vanishes.
#include <thread>
#include <vector>

#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

constexpr int64_t kShortWhileNs = 20'000'000;

TEST_P(DriverConformanceTest, DeadlineEndsACallThatNobodyAnswers) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().deadlines) GTEST_SKIP() << "the driver knows no deadlines";
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.deadline_ns = NowNs() + kShortWhileNs;
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kDeadlineExceeded) << call.status();
  EXPECT_GE(NowNs(), call.deadline_ns);
  handler.Take().Respond({.head = "too late"});
}

TEST_P(DriverConformanceTest, DeadlineThatHasPassedEndsTheCall) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().deadlines) GTEST_SKIP() << "the driver knows no deadlines";
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.deadline_ns = NowNs() - kShortWhileNs;
  call.Start();
  // A driver that answers inside StartCall may be faster than any deadline.
  if (!call.Wait().ok()) {
    EXPECT_EQ(call.status().code(), absl::StatusCode::kDeadlineExceeded) << call.status();
  }
}

TEST_P(DriverConformanceTest, DeadlineOfOneRpcDoesNotReachTheNext) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.deadline_ns = NowNs() + 1'000 * kShortWhileNs;
  call.Start();
  handler.Take().Respond({.head = "in time"});
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  call.deadline_ns = ClientCall::kNoDeadline;
  call.Start();
  handler.Take().Respond({.head = "at any time"});
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(call.response(), "at any time");
}

TEST_P(DriverConformanceTest, CancelEndsACallThatTheServerHolds) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.Start();
  Responder responder = handler.Take();
  call.Cancel();
  call.Cancel();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kCancelled) << call.status();
  responder.Respond({.head = "too late"});
}

TEST_P(DriverConformanceTest, CancelRightAfterStartEndsTheCallOnce) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (int i = 0; i < 50; ++i) {
    call.Start();
    call.Cancel();
    if (!call.Wait().ok()) {
      EXPECT_EQ(call.status().code(), absl::StatusCode::kCancelled) << call.status();
    }
  }
}

TEST_P(DriverConformanceTest, CancelAfterTheEndIsHarmless) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (int i = 0; i < 10; ++i) {
    call.Start();
    EXPECT_TRUE(call.Wait().ok()) << call.status();
    call.Cancel();
  }
}

TEST_P(DriverConformanceTest, CancelThatMeetsTheAnswerEndsTheCallOnce) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (int i = 0; i < 100; ++i) {
    call.Start();
    Responder responder = handler.Take();
    std::thread answer([&] { responder.Respond({.head = "answer"}); });
    call.Cancel();
    answer.join();
    if (call.Wait().ok()) {
      EXPECT_EQ(call.response(), "answer");
    } else {
      EXPECT_EQ(call.status().code(), absl::StatusCode::kCancelled) << call.status();
    }
  }
}

TEST_P(DriverConformanceTest, CancelOfOneCallLeavesOthersAlone) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall cancelled(*pair.client);
  TestCall other(*pair.client);
  cancelled.peer = other.peer = kServer;
  cancelled.Start();
  Responder cancelled_responder = handler.Take();
  other.Start();
  Responder other_responder = handler.Take();
  cancelled.Cancel();
  EXPECT_FALSE(cancelled.Wait().ok());
  EXPECT_FALSE(other.done());
  other_responder.Respond({.head = "here"});
  EXPECT_TRUE(other.Wait().ok()) << other.status();
}

TEST_P(DriverConformanceTest, ServerThatVanishesEndsItsCallsWithAnError) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  TestCall call(*client);
  call.peer = kServer;
  call.Start();
  Responder never_used = handler.Take();
  EXPECT_EQ(server->Stop(absl::InfinitePast()), 1);
  server.reset();
  EXPECT_FALSE(call.Wait().ok());
  TestCall later(*client);
  later.peer = kServer;
  later.Start();
  EXPECT_FALSE(later.Wait().ok());
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, ServerOutlivesAClientThatVanishes) {
  TestServer handler;
  auto server = NewServer(&handler);
  {
    auto client = NewDriver();
    ConnectTo(*client, *server);
    TestCall call(*client);
    call.peer = kServer;
    call.Start();
    Responder orphaned = handler.Take();
    EXPECT_EQ(client->Stop(Soon()), 0);
    EXPECT_FALSE(call.Wait().ok());
    orphaned.Respond({.head = "to nobody"});
  }
  auto client = NewDriver();
  ConnectTo(*client, *server);
  TestCall call(*client);
  call.peer = kServer;
  call.Start();
  handler.Take().Respond({.head = "to somebody"});
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(client->Stop(Soon()), 0);
  EXPECT_EQ(server->Stop(Soon()), 0);
}

}  // namespace
}  // namespace distbench
