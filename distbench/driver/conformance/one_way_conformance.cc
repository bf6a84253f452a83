// One-way calls: the message arrives, the caller waits for nothing but room, and can wait until all
// of them are served. To a driver without the capability they are calls like others.
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

// More than any driver lets be on their way.
constexpr size_t kFlood = 12'000;

constexpr char kSkipped[] = "to the driver one-way calls are like others";

// Starts one-way calls, which it keeps.
class OneWayCalls {
 public:
  OneWayCalls(ProtocolDriver& driver, InstanceIndex peer) : driver_(driver), peer_(peer) {}

  void Start(size_t count, int64_t deadline_ns = ClientCall::kNoDeadline) {
    for (size_t i = 0; i < count; ++i) {
      TestCall& call = *calls_.emplace_back(std::make_unique<TestCall>(driver_));
      call.peer = peer_;
      call.one_way = true;
      call.request = {.head = "message"};
      call.deadline_ns = deadline_ns;
      call.Start();
    }
  }

  size_t CountDone() const {
    size_t done = 0;
    for (const auto& call : calls_) done += call->done() ? 1 : 0;
    return done;
  }

  const std::vector<std::unique_ptr<TestCall>>& all() const { return calls_; }

 private:
  ProtocolDriver& driver_;
  const InstanceIndex peer_;
  std::vector<std::unique_ptr<TestCall>> calls_;
};

void Drain(ProtocolDriver& driver) {
  absl::Notification drained;
  driver.DrainOneWay([&] { drained.Notify(); });
  drained.WaitForNotification();
}

TEST_P(DriverConformanceTest, OneWayMessagesArriveByteForByte) {
  absl::Mutex mutex;
  std::string received;
  bool was_one_way = false;
  TestServer handler([&](const ReceivedMessage& request, Responder responder) {
    {
      absl::MutexLock lock(&mutex);
      received = Flatten(request);
      was_one_way = responder.is_one_way();
    }
    responder.Respond({.head = "an answer"});
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  const bool is_one_way = pair.client->capabilities().one_way;
  TestCall call(*pair.client);
  call.peer = kServer;
  call.one_way = true;
  for (const int64_t payload : {0, 1, 100, 4096, 4097, 3'000'000}) {
    call.request = {.head = "a head", .payload_size = payload, .payload_offset = 5};
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    EXPECT_EQ(call.response(), is_one_way ? "" : "an answer");
    Drain(*pair.client);
    absl::MutexLock lock(&mutex);
    EXPECT_EQ(was_one_way, is_one_way);
    ASSERT_TRUE(received == Flatten(call.request)) << payload;
  }
}

TEST_P(DriverConformanceTest, AReceiverThatDoesNotServeHoldsUpTheSender) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().one_way) GTEST_SKIP() << kSkipped;
  ConnectTo(*pair.client, *pair.server);
  OneWayCalls calls(*pair.client, kServer);
  calls.Start(kFlood);
  EXPECT_GT(calls.CountDone(), 0u);
  EXPECT_LT(calls.CountDone(), kFlood);
  handler.AnswerAll();
  for (const auto& call : calls.all()) ASSERT_TRUE(call->Wait().ok()) << call->status();
  Drain(*pair.client);
}

TEST_P(DriverConformanceTest, DrainingWaitsForTheLastOneWayMessageToBeServed) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().one_way) GTEST_SKIP() << kSkipped;
  ConnectTo(*pair.client, *pair.server);
  OneWayCalls calls(*pair.client, kServer);
  calls.Start(10);
  for (const auto& call : calls.all()) ASSERT_TRUE(call->Wait().ok()) << call->status();
  std::vector<Responder> responders;
  while (responders.size() < 10) responders.push_back(handler.Take());
  absl::Notification drained;
  pair.client->DrainOneWay([&] { drained.Notify(); });
  for (Responder& responder : responders) {
    EXPECT_FALSE(drained.HasBeenNotified());
    responder.Respond({});
  }
  drained.WaitForNotification();
}

TEST_P(DriverConformanceTest, DrainingEndsWhenThePeerIsLost) {
  TestServer handler;
  const auto client = NewDriver();
  const auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  OneWayCalls calls(*client, kServer);
  calls.Start(1);
  Responder responder = handler.Take();
  absl::Notification drained;
  client->DrainOneWay([&] { drained.Notify(); });
  EXPECT_EQ(server->Stop(absl::Now()), 1);
  drained.WaitForNotification();
  responder.Respond({});
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StoppingEndsOneWayCallsThatWaitAndDraining) {
  TestServer handler;
  const auto client = NewDriver();
  const auto server = NewServer(&handler);
  ConnectTo(*client, *server);
  OneWayCalls calls(*client, kServer);
  calls.Start(kFlood);
  absl::Notification drained;
  client->DrainOneWay([&] { drained.Notify(); });
  EXPECT_EQ(client->Stop(Soon()), 0);
  EXPECT_TRUE(drained.HasBeenNotified());
  for (const auto& call : calls.all()) {
    ASSERT_TRUE(call->done());
    EXPECT_TRUE(call->status().ok() || absl::IsCancelled(call->status())) << call->status();
  }
  EXPECT_FALSE(calls.all().back()->status().ok());
  handler.AnswerAll();
  EXPECT_EQ(server->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, AOneWayCallThatWaitsIsCancelledOrExpires) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().one_way) GTEST_SKIP() << kSkipped;
  ConnectTo(*pair.client, *pair.server);
  OneWayCalls calls(*pair.client, kServer);
  calls.Start(kFlood);
  TestCall& waiting = *calls.all().back();
  ASSERT_FALSE(waiting.done());
  waiting.Cancel();
  EXPECT_TRUE(absl::IsCancelled(waiting.Wait())) << waiting.status();
  calls.Start(1, NowNs() + 1'000'000);
  TestCall& expiring = *calls.all().back();
  EXPECT_TRUE(absl::IsDeadlineExceeded(expiring.Wait())) << expiring.status();
  handler.AnswerAll();
  for (size_t i = 0; i + 2 < calls.all().size(); ++i) {
    ASSERT_TRUE(calls.all()[i]->Wait().ok()) << calls.all()[i]->status();
  }
  Drain(*pair.client);
}

TEST_P(DriverConformanceTest, OneWayCallsThatWaitDoNotHoldUpOthers) {
  absl::Mutex mutex;
  std::vector<Responder> kept;
  bool is_open = false;
  TestServer handler([&](const ReceivedMessage& request, Responder responder) {
    {
      absl::MutexLock lock(&mutex);
      if (!is_open && Flatten(request) == "message") return kept.push_back(std::move(responder));
    }
    responder.Respond({});
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  if (!pair.client->capabilities().one_way) GTEST_SKIP() << kSkipped;
  ConnectTo(*pair.client, *pair.server);
  OneWayCalls calls(*pair.client, kServer);
  calls.Start(kFlood);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.request = {.head = "question"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  std::vector<Responder> unanswered;
  {
    absl::MutexLock lock(&mutex);
    is_open = true;
    unanswered.swap(kept);
  }
  for (Responder& responder : unanswered) responder.Respond({});
  for (const auto& one_way : calls.all()) ASSERT_TRUE(one_way->Wait().ok()) << one_way->status();
}

}  // namespace
}  // namespace distbench
