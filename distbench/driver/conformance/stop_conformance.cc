// How a driver stops: it ends what it can, by its deadline, and counts what it could not.
#include <atomic>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

TEST_P(DriverConformanceTest, UnusedDriverNeedsNoStop) { NewDriver(); }

TEST_P(DriverConformanceTest, IdleDriverStopsAtOnce) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  const absl::Time begin = absl::Now();
  EXPECT_EQ(client->Stop(begin + absl::Hours(1)), 0);
  EXPECT_EQ(server->Stop(begin + absl::Hours(1)), 0);
  EXPECT_LT(absl::Now(), begin + absl::Seconds(20));
}

TEST_P(DriverConformanceTest, ServerThatStopsFirstDoesNotWaitForItsClient) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  EXPECT_EQ(server->Stop(Soon()), 0);
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StopEndsOutstandingCallsAsCancelled) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(std::make_unique<TestCall>(*client));
    calls.back()->peer = kServer;
    calls.back()->Start();
  }
  EXPECT_EQ(client->Stop(Soon()), 0);
  for (const auto& call : calls) {
    ASSERT_TRUE(call->done());
    EXPECT_EQ(call->status().code(), absl::StatusCode::kCancelled) << call->status();
  }
  // Some requests may reach the server after the cancel, or never.
  handler.AnswerAll();
  EXPECT_EQ(server->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, CallThatStartsAfterStopEndsAsCancelled) {
  TestServer handler(Echo);
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  TestCall call(*client);
  call.peer = kServer;
  EXPECT_EQ(client->Stop(Soon()), 0);
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kCancelled) << call.status();
  EXPECT_EQ(server->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StopWaitsForRequestsThatAreAnsweredInTime) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  TestCall call(*client);
  call.peer = kServer;
  call.Start();
  Responder responder = handler.Take();
  std::atomic<bool> answered = false;
  std::thread answer([&] {
    answered = true;
    responder.Respond({.head = "in time"});
  });
  EXPECT_EQ(server->Stop(Soon()), 0);
  EXPECT_TRUE(answered);
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  answer.join();
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StopCountsUnansweredRequestsAndTheirCallersGetAnError) {
  TestServer handler;
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  std::vector<std::unique_ptr<TestCall>> calls;
  std::vector<Responder> responders;
  for (int i = 0; i < 3; ++i) {
    calls.push_back(std::make_unique<TestCall>(*client));
    calls.back()->peer = kServer;
    calls.back()->Start();
    responders.push_back(handler.Take());
  }
  EXPECT_EQ(server->Stop(absl::Now() + absl::Milliseconds(30)), 3);
  for (const auto& call : calls) EXPECT_FALSE(call->Wait().ok());
  // Answers that come too late reach nobody, before and after the driver has gone.
  responders[0].Respond({.head = "too late"});
  server.reset();
  responders[1].Respond({.head = "too late"});
  responders.clear();
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, NothingIsCalledBackAfterStop) {
  std::atomic<bool> stopped = false;
  TestServer handler([&](const ReceivedMessage&, Responder responder) {
    EXPECT_FALSE(stopped);
    responder.Respond({.head = "ok"});
  });
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < 200; ++i) {
    calls.push_back(std::make_unique<TestCall>(*client));
    calls.back()->peer = kServer;
    calls.back()->Start();
  }
  EXPECT_EQ(server->Stop(Soon()), 0);
  stopped = true;
  for (const auto& call : calls) call->Wait().IgnoreError();
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StopThatMeetsNewCallsEndsEachOnce) {
  TestServer handler(Echo);
  auto client = NewDriver();
  auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  TestCall call(*client);
  call.peer = kServer;
  std::atomic<bool> calling = false;
  std::thread caller([&] {
    do {
      call.Start();
      call.Wait().IgnoreError();
      calling = true;
    } while (call.status().ok());
  });
  while (!calling) std::this_thread::yield();
  EXPECT_EQ(client->Stop(Soon()), 0);
  caller.join();
  EXPECT_EQ(call.status().code(), absl::StatusCode::kCancelled) << call.status();
  EXPECT_EQ(server->Stop(Soon()), 0);
}

}  // namespace
}  // namespace distbench
