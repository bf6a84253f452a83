// What is particular to the grpc driver: addresses, ports, threads.
#include "distbench/driver/grpc/grpc_driver.h"

#include <dirent.h>
#include <ifaddrs.h>
#include <sys/socket.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "distbench/net/socket.h"
#include "distbench/net/socket_address.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr InstanceIndex kServer(1);

std::unique_ptr<ProtocolDriver> NewDriver(GrpcSubject& subject, const DataPlaneAddress& address) {
  DriverEnvironment environment = subject.environment();
  environment.address = &address;
  auto driver = subject.factory().Create(subject.options(), environment);
  EXPECT_TRUE(driver.ok()) << driver.status();
  return *std::move(driver);
}

std::unique_ptr<ProtocolDriver> NewDriver(GrpcSubject& subject) {
  return NewDriver(subject, *subject.environment().address);
}

absl::Status Connect(ProtocolDriver& client, const std::string& responder_info) {
  absl::Notification connected;
  absl::Status result;
  client.Connect(kServer, responder_info, Soon(), [&](absl::Status status) {
    result = status;
    connected.Notify();
  });
  connected.WaitForNotification();
  return result;
}

uint16_t PortOf(ProtocolDriver& server) {
  ServerAddress address;
  EXPECT_TRUE(address.ParseFromString(*server.AcceptConnection("")));
  return static_cast<uint16_t>(address.port());
}

TEST(GrpcDriverTest, TellsItsAddressInAllForms) {
  GrpcSubject subject({});
  const DataPlaneAddress address = {.bind_ip = "0.0.0.0", .advertise_ip = "127.0.0.1", .ports = {}};
  auto driver = NewDriver(subject, address);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  EXPECT_EQ(driver->InitiatorInfo(), "");
  ServerAddress told;
  ASSERT_TRUE(told.ParseFromString(*driver->AcceptConnection("")));
  EXPECT_EQ(told.ip_address(), "127.0.0.1");
  EXPECT_GT(told.port(), 0);
  EXPECT_EQ(told.socket_address(), "127.0.0.1:" + std::to_string(told.port()));
  EXPECT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

// A connect and a call over an IPv6 address.
void ExpectACallOver(const std::string& ip) {
  GrpcSubject subject({.ip = ip});
  auto driver = NewDriver(subject);
  TestServer handler(Echo);
  const absl::Status started = driver->StartServer(&handler);
  ASSERT_TRUE(started.ok()) << started;
  const absl::Status connected = Connect(*driver, *driver->AcceptConnection(""));
  ASSERT_TRUE(connected.ok()) << connected;
  TestCall call(*driver);
  call.peer = kServer;
  call.request = {.head = "six"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, SpeaksIpV6) {
  if (!CanListen("::1", 0).ok()) GTEST_SKIP() << "this machine has no IPv6";
  ExpectACallOver("::1");
}

// "fe80::1%eth0", or empty if this machine has none.
std::string LinkLocalAddress() {
  std::string found;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return found;
  for (const ifaddrs* i = all; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET6) continue;
    const auto address = NumericAddress(*i->ifa_addr);
    if (address.ok() && IsLinkLocal(*address) && CanListen(*address, 0).ok()) found = *address;
  }
  freeifaddrs(all);
  return found;
}

TEST(GrpcDriverTest, SpeaksToALinkLocalAddressWithItsZone) {
  const std::string ip = LinkLocalAddress();
  if (ip.empty()) GTEST_SKIP() << "this machine has no link-local address";
  EXPECT_NE(ip.find('%'), std::string::npos);
  ExpectACallOver(ip);
}

TEST(GrpcDriverTest, TakesTheFirstFreePortOfItsRange) {
  GrpcSubject subject({});
  TestServer handler(Echo);
  auto first = NewDriver(subject);
  ASSERT_TRUE(first->StartServer(&handler).ok());
  const uint16_t taken = PortOf(*first);
  if (taken == 65535) GTEST_SKIP() << "no port follows";
  const DataPlaneAddress address = {.bind_ip = "127.0.0.1",
                                    .advertise_ip = "127.0.0.1",
                                    .ports = {taken, static_cast<uint16_t>(65535)}};
  auto second = NewDriver(subject, address);
  ASSERT_TRUE(second->StartServer(&handler).ok());
  EXPECT_GT(PortOf(*second), taken);
  EXPECT_EQ(first->Stop(Soon()), 0);
  EXPECT_EQ(second->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, PortInUseIsAnErrorThatNamesAddressAndRange) {
  GrpcSubject subject({});
  TestServer handler(Echo);
  auto first = NewDriver(subject);
  ASSERT_TRUE(first->StartServer(&handler).ok());
  const uint16_t taken = PortOf(*first);
  const DataPlaneAddress address = {
      .bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1", .ports = {taken, taken}};
  auto second = NewDriver(subject, address);
  const absl::Status started = second->StartServer(&handler);
  EXPECT_FALSE(started.ok());
  EXPECT_NE(started.message().find("127.0.0.1:" + std::to_string(taken)), std::string::npos)
      << started;
  EXPECT_NE(started.message().find("in use"), std::string::npos) << started;
  EXPECT_EQ(second->Stop(Soon()), 0);
  EXPECT_EQ(first->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, PortIsFreeAgainAfterStop) {
  GrpcSubject subject({});
  TestServer handler(Echo);
  auto first = NewDriver(subject);
  ASSERT_TRUE(first->StartServer(&handler).ok());
  const uint16_t port = PortOf(*first);
  ASSERT_TRUE(Connect(*first, *first->AcceptConnection("")).ok());
  EXPECT_EQ(first->Stop(Soon()), 0);
  const DataPlaneAddress address = {
      .bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1", .ports = {port, port}};
  auto second = NewDriver(subject, address);
  const absl::Status started = second->StartServer(&handler);
  EXPECT_TRUE(started.ok()) << started;
  EXPECT_EQ(second->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, FailedCallNamesThePeer) {
  GrpcSubject subject({});
  auto client = NewDriver(subject);
  auto server = NewDriver(subject);
  TestServer handler(Echo);
  ASSERT_TRUE(server->StartServer(&handler).ok());
  const std::string address = "127.0.0.1:" + std::to_string(PortOf(*server));
  ASSERT_TRUE(Connect(*client, *server->AcceptConnection("")).ok());
  EXPECT_EQ(server->Stop(Soon()), 0);
  TestCall call(*client);
  call.peer = kServer;
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kUnavailable) << call.status();
  EXPECT_NE(call.status().message().find(address), std::string::npos) << call.status();
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, MessageThatGrpcCannotCarryIsAnErrorOnEitherSide) {
  GrpcSubject subject({});
  auto driver = NewDriver(subject);
  TestServer handler([](const ReceivedMessage&, Responder responder) {
    responder.Respond({.head = "too", .payload_size = int64_t{1} << 31});
  });
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  ASSERT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  TestCall call(*driver);
  call.peer = kServer;
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kResourceExhausted) << call.status();
  call.request = {.head = "large", .payload_size = int64_t{1} << 40};
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kResourceExhausted) << call.status();
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(GrpcDriverTest, PeerConnectsOnce) {
  GrpcSubject subject({});
  auto driver = NewDriver(subject);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  ASSERT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  EXPECT_EQ(Connect(*driver, *driver->AcceptConnection("")).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

size_t ThreadCount() {
  size_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

TEST(GrpcDriverTest, ThreadsDoNotGrowWithDriversOrRequests) {
  GrpcSubject subject({});
  TestServer handler;
  std::vector<std::unique_ptr<ProtocolDriver>> drivers;
  std::vector<std::unique_ptr<TestCall>> calls;
  const auto add_driver_with_open_calls = [&] {
    drivers.push_back(NewDriver(subject));
    ASSERT_TRUE(drivers.back()->StartServer(&handler).ok());
    ASSERT_TRUE(Connect(*drivers.back(), *drivers.back()->AcceptConnection("")).ok());
    for (int i = 0; i < 100; ++i) {
      calls.push_back(std::make_unique<TestCall>(*drivers.back()));
      calls.back()->peer = kServer;
      calls.back()->Start();
    }
  };
  std::vector<Responder> responders;
  const auto take_requests = [&] {
    while (responders.size() < calls.size()) responders.push_back(handler.Take());
  };
  for (int i = 0; i < 3; ++i) add_driver_with_open_calls();
  take_requests();
  const size_t few = ThreadCount();
  for (int i = 0; i < 20; ++i) add_driver_with_open_calls();
  take_requests();
  // gRPC's own pool may grow by a thread a core while it is busy.
  EXPECT_LE(ThreadCount(), few + 4);
  for (Responder& responder : responders) responder.Respond({});
  for (const auto& driver : drivers) EXPECT_EQ(driver->Stop(Soon()), 0);
}

}  // namespace
}  // namespace distbench
