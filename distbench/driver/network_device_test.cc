// The network devices that drivers bind their sockets to, in a network namespace of this test's
// own, with two devices besides loopback. Skipped where the kernel allows no namespaces.
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kLeftIp[] = "10.99.0.1";
constexpr char kRightIp[] = "10.99.1.1";

// For this thread, and for those that it starts from then on. As somebody who is nobody special,
// only as the root of a user namespace.
absl::Status LeaveNetworkNamespace() {
  const std::string user = absl::StrCat("0 ", geteuid(), " 1");
  if (unshare(CLONE_NEWNET) == 0) return absl::OkStatus();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
    return absl::ErrnoToStatus(errno, "no network namespace");
  }
  std::ofstream("/proc/self/uid_map") << user;
  return absl::OkStatus();
}

// What is sent to an address of this machine over another device than that address's does not
// arrive, whatever the routing table says.
absl::Status MakeTwoDevices() {
  if (absl::Status status = LeaveNetworkNamespace(); !status.ok()) return status;
  const std::string commands = absl::StrCat(
      "ip link set lo up && ip link add left type veth peer name right && ip addr add ", kLeftIp,
      "/24 dev left && ip addr add ", kRightIp,
      "/24 dev right && ip link set left up && ip link set right up");
  if (std::system(commands.c_str()) == 0) return absl::OkStatus();
  return absl::UnavailableError("`ip` cannot make devices");
}

struct Kind {
  std::string name;
  std::function<std::unique_ptr<ConformanceSubject>(const std::string& settings)> make;
};

class NetworkDeviceTest : public testing::TestWithParam<Kind> {
 protected:
  static void SetUpTestSuite() {
    if (devices_ == nullptr) devices_ = new absl::Status(MakeTwoDevices());
  }
  void SetUp() override {
    if (!devices_->ok()) GTEST_SKIP() << *devices_;
  }

  struct End {
    std::unique_ptr<ConformanceSubject> subject;
    std::unique_ptr<ProtocolDriver> driver;
    ~End() {
      if (driver == nullptr) return;
      EXPECT_EQ(driver->Stop(Soon()), 0);
    }
  };
  static std::unique_ptr<End> NewEnd(const std::string& settings) {
    auto end = std::make_unique<End>();
    end->subject = GetParam().make(settings);
    auto driver =
        end->subject->factory().Create(end->subject->options(), end->subject->environment());
    EXPECT_TRUE(driver.ok()) << driver.status();
    end->driver = std::move(driver).value();
    return end;
  }

  std::unique_ptr<End> NewServer(const std::string& settings) {
    auto end = NewEnd(settings);
    EXPECT_TRUE(end->driver->StartServer(&handler_).ok());
    return end;
  }

  static absl::Status Connect(End& client, End& server, absl::Duration timeout) {
    absl::Notification connected;
    absl::Status result;
    client.driver->Connect(InstanceIndex(1),
                           *server.driver->AcceptConnection(client.driver->InitiatorInfo()),
                           absl::Now() + timeout, [&](absl::Status status) {
                             result = std::move(status);
                             connected.Notify();
                           });
    connected.WaitForNotification();
    return result;
  }

  static const absl::Status* devices_;
  TestServer handler_{Echo};
};

const absl::Status* NetworkDeviceTest::devices_ = nullptr;

constexpr absl::Duration kLong = absl::Seconds(30);
constexpr absl::Duration kShort = absl::Milliseconds(300);

TEST_P(NetworkDeviceTest, ServersListenOnTheDevice) {
  const auto server = NewServer("netdev_name: 'right'");
  EXPECT_THAT(*server->driver->AcceptConnection(""), HasSubstr(kRightIp));
  EXPECT_EQ(Connect(*NewEnd(""), *server, kLong), absl::OkStatus());
}

TEST_P(NetworkDeviceTest, ClientsOfTheServersDeviceReachIt) {
  const auto server = NewServer("netdev_name: 'right'");
  const auto client = NewEnd("netdev_name: 'right'");
  ASSERT_EQ(Connect(*client, *server, kLong), absl::OkStatus());
  TestCall call(*client->driver);
  call.peer = InstanceIndex(1);
  call.request = {.head = "hello"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(call.response(), "hello");
}

TEST_P(NetworkDeviceTest, ClientsOfAnotherDeviceDoNot) {
  const auto server = NewServer("netdev_name: 'right'");
  EXPECT_EQ(Connect(*NewEnd("netdev_name: 'left'"), *server, kShort).code(),
            absl::StatusCode::kUnavailable);
}

TEST_P(NetworkDeviceTest, ADeviceThatIsNotThereIsAnErrorThatNamesThoseThatAre) {
  const auto subject = GetParam().make("netdev_name: 'middle'");
  const auto driver = subject->factory().Create(subject->options(), subject->environment());
  EXPECT_THAT(
      std::string(driver.status().message()),
      AllOf(HasSubstr("'middle'"), HasSubstr("left (10.99.0.1"), HasSubstr("right (10.99.1.1")));
}

std::unique_ptr<ConformanceSubject> NewGrpc(const std::string& settings) {
  return std::make_unique<GrpcSubject>(GrpcSubjectOptions{.settings = settings});
}

std::unique_ptr<ConformanceSubject> NewTcp(const std::string& settings) {
  return std::make_unique<TcpSubject>(TcpSubjectOptions{.settings = settings});
}

std::unique_ptr<ConformanceSubject> NewGrpcCallback(const std::string& settings) {
  return NewGrpc(settings + WordSetting("client", "client_type", "callback"));
}

INSTANTIATE_TEST_SUITE_P(All, NetworkDeviceTest,
                         testing::Values(Kind{"Grpc", NewGrpc},
                                         Kind{"GrpcCallback", NewGrpcCallback},
                                         Kind{"Tcp", NewTcp}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace distbench
