// Messages arrive with their exact size and bytes.
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/payload/message.h"

namespace distbench {
namespace {

// What the test and its handler share. It is the wire that orders the two, and the thread sanitizer
// does not see that through every library.
template <typename T>
class Shared {
 public:
  void Set(T value) {
    absl::MutexLock lock(&mutex_);
    value_ = std::move(value);
  }
  T Get() const {
    absl::MutexLock lock(&mutex_);
    return value_;
  }

 private:
  mutable absl::Mutex mutex_;
  T value_ ABSL_GUARDED_BY(mutex_){};
};

struct Sizes {
  size_t head;
  int64_t payload;
};

// Around what drivers treat specially: nothing, inlined heads, pages, frames, the pattern's end.
std::vector<Sizes> InterestingSizes() {
  std::vector<Sizes> sizes;
  for (size_t head = 0; head < 80; ++head) {
    sizes.push_back({.head = head, .payload = 0});
    sizes.push_back({.head = head, .payload = static_cast<int64_t>(head)});
  }
  const int64_t pattern = kPayloadPatternSize;
  for (const int64_t edge : {int64_t{128}, int64_t{1024}, int64_t{4096}, int64_t{8192},
                             int64_t{16384}, int64_t{65536}, pattern, 2 * pattern}) {
    for (int64_t payload = edge - 2; payload <= edge + 2; ++payload) {
      sizes.push_back({.head = 9, .payload = payload});
    }
  }
  sizes.push_back({.head = 30, .payload = 7 * pattern + 12345});
  sizes.push_back({.head = 5000, .payload = 5000});
  return sizes;
}

TEST_P(DriverConformanceTest, RequestsArriveByteForByte) {
  Shared<std::string> received;
  TestServer handler([&](const ReceivedMessage& request, Responder responder) {
    received.Set(Flatten(request));
    responder.Respond({});
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (const Sizes& sizes : InterestingSizes()) {
    const std::string head(sizes.head, 'h');
    call.request = {.head = head, .payload_size = sizes.payload};
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    ASSERT_EQ(call.response(), "");
    const std::string bytes = received.Get();
    ASSERT_EQ(bytes.size(), sizes.head + static_cast<size_t>(sizes.payload));
    ASSERT_TRUE(bytes == Flatten(call.request)) << sizes.head << "+" << sizes.payload;
  }
}

// As they are echoed: of any size around what drivers copy, and beyond the pattern's end.
TEST_P(DriverConformanceTest, PayloadsBeginWhereTheirOffsetSays) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  const int64_t pattern = kPayloadPatternSize;
  for (const uint32_t offset : {1u, 4097u, kPayloadOffsets - 1}) {
    for (const int64_t payload : {int64_t{0}, int64_t{1}, int64_t{4096}, int64_t{4097},
                                  pattern - offset, pattern - offset + 1, 3 * pattern}) {
      call.request = {.head = "head", .payload_size = payload, .payload_offset = offset};
      call.Start();
      ASSERT_TRUE(call.Wait().ok()) << call.status();
      ASSERT_TRUE(call.response() == Flatten(call.request)) << offset << "+" << payload;
    }
  }
}

TEST_P(DriverConformanceTest, RequestsSayWhenTheyArrivedOrNothing) {
  Shared<int64_t> arrival_ns;
  Shared<int64_t> handled_ns;
  TestServer handler([&](const ReceivedMessage& request, Responder responder) {
    arrival_ns.Set(request.arrival_ns);
    handled_ns.Set(NowNs());
    responder.Respond({});
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (int i = 0; i < 10; ++i) {
    const int64_t start_ns = NowNs();
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    if (arrival_ns.Get() == 0) continue;
    EXPECT_GE(arrival_ns.Get(), start_ns);
    EXPECT_LE(arrival_ns.Get(), handled_ns.Get());
  }
}

TEST_P(DriverConformanceTest, ResponsesArriveByteForByte) {
  Shared<Sizes> asked;
  TestServer handler([&](const ReceivedMessage&, Responder responder) {
    // The head goes out of use as soon as Respond() returns.
    const Sizes sizes = asked.Get();
    std::string head(sizes.head, 'h');
    responder.Respond({.head = head, .payload_size = sizes.payload});
    std::fill(head.begin(), head.end(), 'x');
  });
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (const Sizes& sizes : InterestingSizes()) {
    asked.Set(sizes);
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    const std::string head(sizes.head, 'h');
    const std::string expected =
        Flatten(OutgoingMessage{.head = head, .payload_size = sizes.payload});
    ASSERT_EQ(call.response().size(), expected.size());
    ASSERT_TRUE(call.response() == expected) << sizes.head << "+" << sizes.payload;
  }
}

TEST_P(DriverConformanceTest, LargeMessagesOfConcurrentCallsDoNotMix) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  std::vector<std::unique_ptr<TestCall>> calls;
  std::vector<std::string> heads;
  for (int i = 0; i < 10; ++i) heads.push_back("call " + std::to_string(i));
  for (const std::string& head : heads) {
    calls.push_back(std::make_unique<TestCall>(*pair.client));
    calls.back()->peer = kServer;
    calls.back()->request = {.head = head, .payload_size = 1'500'000};
    calls.back()->Start();
  }
  for (const auto& call : calls) {
    ASSERT_TRUE(call->Wait().ok()) << call->status();
    EXPECT_TRUE(call->response() == Flatten(call->request));
  }
}

}  // namespace
}  // namespace distbench
