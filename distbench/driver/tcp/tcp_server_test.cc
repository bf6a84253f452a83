// The server side against peers that do what no client of ours does.
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/tcp/raw_peer.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "glog/logging.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class TcpServerTest : public testing::Test {
 protected:
  ~TcpServerTest() override {
    if (driver_ != nullptr) driver_->Stop(Soon());
  }

  void Start(RequestHandler* handler) {
    auto driver = subject_.factory().Create(subject_.options(), subject_.environment());
    ASSERT_TRUE(driver.ok()) << driver.status();
    driver_ = *std::move(driver);
    const absl::Status started = driver_->StartServer(handler);
    ASSERT_TRUE(started.ok()) << started;
  }

  RawPeer Connect() { return RawPeer::ConnectTo(*ParseEndpoint(*driver_->AcceptConnection(""))); }

  RawPeer ConnectAndGreet() {
    RawPeer peer = Connect();
    peer.SendHello(HelloRole::kClient);
    const auto hello = peer.Receive();
    EXPECT_TRUE(hello && hello->header.type == FrameType::kHello);
    return peer;
  }

  void ExpectServes() {
    RawPeer peer = ConnectAndGreet();
    peer.SendFrame(FrameType::kRequest, {}, "still there?");
    const auto answer = peer.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->header.type, FrameType::kResponse);
    EXPECT_EQ(answer->body, "still there?");
  }

  TcpSubject subject_{{.shards = 2}};
  std::unique_ptr<ProtocolDriver> driver_;
};

TEST_F(TcpServerTest, PeerThatDoesNotSayHelloIsTurnedAway) {
  TestServer handler(Echo);
  Start(&handler);
  std::string other_version = EncodeHello(HelloRole::kClient);
  other_version.back() ^= 1;
  for (const std::string& greeting :
       {std::string("GET / HTTP/1.1\r\nHost: distbench\r\n\r\n"),
        EncodeRaw(FrameType::kRequest, {}, "no hello"),
        EncodeRaw(FrameType::kHello, {}, EncodeHello(HelloRole::kServer)),
        EncodeRaw(FrameType::kHello, {}, other_version), EncodeRaw(FrameType::kHello, {}, ""),
        std::string(16, '\xff')}) {
    RawPeer peer = Connect();
    peer.Send(greeting);
    peer.AwaitEnd();
    ExpectServes();
  }
}

TEST_F(TcpServerTest, FramesThatNoClientSendsEndTheConnection) {
  TestServer handler(Echo);
  Start(&handler);
  std::string too_long(kFrameHeaderBytes, '\0');
  EncodeFrameHeader({.type = FrameType::kRequest, .body_bytes = uint64_t{1} << 31}, &too_long[0]);
  std::string unknown = EncodeRaw(FrameType::kCancel, {}, "");
  unknown[7] = 77;
  for (const std::string& frame :
       {EncodeRaw(FrameType::kHello, {}, EncodeHello(HelloRole::kClient)),
        EncodeRaw(FrameType::kResponse, {}, "an answer"), EncodeRaw(FrameType::kError, {}, "error"),
        EncodeRaw(FrameType::kCancel, {}, "with a body"),
        EncodeRaw(FrameType::kCredit, {.slot = 1}, ""),
        EncodeRaw(FrameType::kRequest, {.slot = 1}, "slot 0 comes first"),
        EncodeRaw(FrameType::kRequest, {.slot = ~0u}, "so many calls"), too_long, unknown}) {
    RawPeer peer = ConnectAndGreet();
    peer.Send(frame);
    peer.AwaitEnd();
    ExpectServes();
  }
}

TEST_F(TcpServerTest, SlotCannotBeUsedTwiceAtOnce) {
  TestServer handler;
  Start(&handler);
  RawPeer peer = ConnectAndGreet();
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 0}, "first");
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 1}, "second");
  peer.AwaitEnd();
  EXPECT_EQ(handler.kept(), 1u) << "the second one is no request";
  // The connection has gone; its request is still to be answered, and that does no harm.
  handler.Take().Respond({.head = "to nobody"});
}

TEST_F(TcpServerTest, AnswerToACancelledRequestIsNotSent) {
  TestServer handler;
  Start(&handler);
  RawPeer peer = ConnectAndGreet();
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 0}, "unwanted");
  Responder unwanted = handler.Take();
  peer.SendFrame(FrameType::kCancel, {.slot = 0, .generation = 0});
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 1}, "wanted");
  Responder wanted = handler.Take();
  unwanted.Respond({.head = "one"});
  wanted.Respond({.head = "two"});
  const auto answer = peer.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->header.id, (CallId{.slot = 0, .generation = 1}));
  EXPECT_EQ(answer->body, "two");
}

TEST_F(TcpServerTest, CancelOfWhatIsNotThereIsHarmless) {
  TestServer handler(Echo);
  Start(&handler);
  RawPeer peer = ConnectAndGreet();
  peer.SendFrame(FrameType::kCancel, {.slot = 5, .generation = 0});
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 0}, "a");
  ASSERT_TRUE(peer.Receive());
  peer.SendFrame(FrameType::kCancel, {.slot = 0, .generation = 0});
  peer.SendFrame(FrameType::kRequest, {.slot = 0, .generation = 1}, "b");
  const auto answer = peer.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "b");
}

TEST_F(TcpServerTest, PeerThatTakesNoAnswersIsNotReadFromAnyMore) {
  constexpr int64_t kAnswerBytes = 100'000;
  constexpr uint32_t kTooMany = 100'000;
  std::atomic<uint32_t> handled = 0;
  TestServer handler([&](const ReceivedMessage&, Responder responder) {
    ++handled;
    responder.Respond({.head = "h", .payload_size = kAnswerBytes - 1});
  });
  Start(&handler);
  RawPeer peer = ConnectAndGreet();
  // Requests of some size, so that the kernel's buffers fill soon.
  const std::string body(5000, 'r');
  uint32_t sent = 0;
  while (sent < kTooMany && peer.TakesBytes()) {
    ASSERT_TRUE(peer.SendFrame(FrameType::kRequest, {.slot = sent, .generation = 0}, body));
    ++sent;
  }
  ASSERT_LT(sent, kTooMany);
  EXPECT_LT(handled, sent);
  // From here on the answers are taken, and all come.
  for (uint32_t i = 0; i < sent; ++i) {
    const auto answer = peer.Receive();
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->header.id.slot, i);
    ASSERT_EQ(answer->body.size(), static_cast<size_t>(kAnswerBytes));
  }
  EXPECT_EQ(handled, sent);
}

TEST_F(TcpServerTest, StopDoesNotWaitForAPeerThatTakesNoAnswers) {
  TestServer handler([](const ReceivedMessage&, Responder responder) {
    responder.Respond({.head = "h", .payload_size = 100 << 20});
  });
  Start(&handler);
  RawPeer peer = ConnectAndGreet();
  peer.SendFrame(FrameType::kRequest, {}, "");
  ASSERT_TRUE(peer.TakesBytes());
  EXPECT_EQ(driver_->Stop(absl::Now() + absl::Hours(1)), 0);
  driver_.reset();
}

// Leaves the process no descriptor beyond those that are open.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    PCHECK(getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const int lowest_free = dup(STDERR_FILENO);
    close(lowest_free);
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(lowest_free);
    PCHECK(setrlimit(RLIMIT_NOFILE, &now) == 0);
  }
  ~NoMoreDescriptors() { PCHECK(setrlimit(RLIMIT_NOFILE, &before_) == 0); }

 private:
  rlimit before_;
};

TEST_F(TcpServerTest, ConnectionThatFindsNoDescriptorIsTakenLater) {
  TestServer handler(Echo);
  Start(&handler);
  // The first connection is served by the loop that accepts the others.
  RawPeer first = ConnectAndGreet();
  const auto address = *ToKernelAddress(*ParseEndpoint(*driver_->AcceptConnection("")));
  auto socket = std::make_shared<const OwnedSocket>(::socket(address.family(), SOCK_STREAM, 0));
  {
    const NoMoreDescriptors full;
    // The kernel takes the connection; the process has to leave it there.
    ASSERT_EQ(connect(socket->fd(), address.get(), address.length), 0);
    first.SendFrame(FrameType::kRequest, {}, "meanwhile");
    ASSERT_TRUE(first.Receive());
  }
  RawPeer peer(socket);
  const auto hello = peer.Receive();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->header.type, FrameType::kHello);
}

}  // namespace
}  // namespace distbench
