// What is particular to the tcp driver: addresses, connections, threads, statistics.
#include "distbench/driver/tcp/tcp_driver.h"

#include <dirent.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "distbench/net/socket.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr InstanceIndex kServer(1);

std::unique_ptr<ProtocolDriver> NewDriver(TcpSubject& subject, const DataPlaneAddress& address) {
  DriverEnvironment environment = subject.environment();
  environment.address = &address;
  auto driver = subject.factory().Create(subject.options(), environment);
  EXPECT_TRUE(driver.ok()) << driver.status();
  return *std::move(driver);
}

std::unique_ptr<ProtocolDriver> NewDriver(TcpSubject& subject) {
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

TcpEndpoint EndpointOf(ProtocolDriver& server) {
  const auto endpoint = ParseEndpoint(*server.AcceptConnection(""));
  EXPECT_TRUE(endpoint.ok()) << endpoint.status();
  return *endpoint;
}

uint16_t PortOf(ProtocolDriver& server) { return EndpointOf(server).address.port; }

std::map<std::string, int64_t> StatisticsOf(const ProtocolDriver& driver) {
  std::map<std::string, int64_t> statistics;
  for (const DriverStatistic& statistic : driver.Statistics()) {
    statistics[statistic.name] = statistic.value;
  }
  return statistics;
}

// --- Addresses

TEST(TcpDriverTest, TellsTheAdvertisedAddress) {
  TcpSubject subject({});
  const DataPlaneAddress address = {.bind_ip = "0.0.0.0", .advertise_ip = "127.0.0.1", .ports = {}};
  auto driver = NewDriver(subject, address);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  EXPECT_EQ(driver->InitiatorInfo(), "");
  EXPECT_EQ(EndpointOf(*driver).address.host, "127.0.0.1");
  EXPECT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(TcpDriverTest, SpeaksIpV6) {
  if (!CanListen("::1", 0).ok()) GTEST_SKIP() << "this machine has no IPv6";
  TcpSubject subject({.settings = "ip_version: 6", .ip = "::1"});
  auto driver = NewDriver(subject);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  ASSERT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  TestCall call(*driver);
  call.peer = kServer;
  call.request = {.head = "six"};
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(TcpDriverTest, TheOtherVersionIsTakenFromTheSameDevice) {
  if (!CanListen("::1", 0).ok()) GTEST_SKIP() << "this machine has no IPv6";
  TcpSubject subject({.settings = "ip_version: 6"});
  auto driver = NewDriver(subject);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  EXPECT_EQ(EndpointOf(*driver).address.host, "::1");
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(TcpDriverTest, TakesTheFirstFreePortOfItsRange) {
  TcpSubject subject({});
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

TEST(TcpDriverTest, PortInUseIsAnErrorThatNamesAddressAndRange) {
  TcpSubject subject({});
  TestServer handler(Echo);
  auto first = NewDriver(subject);
  ASSERT_TRUE(first->StartServer(&handler).ok());
  const uint16_t taken = PortOf(*first);
  const DataPlaneAddress address = {
      .bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1", .ports = {taken, taken}};
  auto second = NewDriver(subject, address);
  const absl::Status started = second->StartServer(&handler);
  EXPECT_FALSE(started.ok());
  EXPECT_NE(started.message().find(absl::StrCat("127.0.0.1:", taken)), std::string::npos)
      << started;
  EXPECT_NE(started.message().find("in use"), std::string::npos) << started;
  EXPECT_EQ(second->Stop(Soon()), 0);
  EXPECT_EQ(first->Stop(Soon()), 0);
}

TEST(TcpDriverTest, PortIsFreeAgainAfterStop) {
  TcpSubject subject({});
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

TEST(TcpDriverTest, UnixNamesAreOfTheProcessAndDiffer) {
  TcpSubject subject({.settings = R"(server_settings {
                                       name: "transport" string_value: "unix"
                                     })"});
  TestServer handler(Echo);
  auto first = NewDriver(subject);
  auto second = NewDriver(subject);
  ASSERT_TRUE(first->StartServer(&handler).ok());
  ASSERT_TRUE(second->StartServer(&handler).ok());
  const std::string prefix = absl::StrCat("@distbench-", getpid(), "-");
  EXPECT_TRUE(absl::StartsWith(EndpointOf(*first).ToString(), prefix));
  EXPECT_NE(EndpointOf(*first).ToString(), EndpointOf(*second).ToString());
  EXPECT_EQ(first->Stop(Soon()), 0);
  EXPECT_EQ(second->Stop(Soon()), 0);
}

TEST(TcpDriverTest, UnixServerOfAnotherHostIsRefusedAtOnce) {
  TcpSubject subject({});
  auto driver = NewDriver(subject);
  EXPECT_EQ(Connect(*driver, "unix:@distbench-1-1 on another/host").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

// --- Calls

TEST(TcpDriverTest, MessageThatIsTooLargeIsAnErrorOnEitherSide) {
  TcpSubject subject({});
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

TEST(TcpDriverTest, PeerConnectsOnce) {
  TcpSubject subject({});
  auto driver = NewDriver(subject);
  TestServer handler(Echo);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  ASSERT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  EXPECT_EQ(Connect(*driver, *driver->AcceptConnection("")).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

TEST(TcpDriverTest, StatisticsCountWhatHasGoneOverConnections) {
  TcpSubject subject({.settings = R"(client_settings { name: "connections" int64_value: 3 })"});
  TestServer handler(Echo);
  auto server = NewDriver(subject);
  ASSERT_TRUE(server->StartServer(&handler).ok());
  auto client = NewDriver(subject);
  ASSERT_TRUE(Connect(*client, *server->AcceptConnection("")).ok());
  TestCall call(*client);
  call.peer = kServer;
  call.request = {.head = "0123456789"};
  for (int i = 0; i < 10; ++i) {
    call.Start();
    ASSERT_TRUE(call.Wait().ok());
  }
  EXPECT_EQ(client->Stop(Soon()), 0);
  EXPECT_EQ(server->Stop(Soon()), 0);
  auto sent = StatisticsOf(*client);
  auto received = StatisticsOf(*server);
  EXPECT_EQ(sent["client_connections"], 3);
  EXPECT_EQ(received["server_connections"], 3);
  // With the hellos.
  EXPECT_EQ(sent["client_frames_sent"], 13);
  EXPECT_EQ(sent["client_frames_received"], 13);
  EXPECT_EQ(received["server_frames_received"], 13);
  EXPECT_EQ(received["server_frames_sent"], 13);
  EXPECT_EQ(sent["client_bytes_sent"], received["server_bytes_received"]);
  EXPECT_EQ(received["server_bytes_sent"], sent["client_bytes_received"]);
  EXPECT_GE(sent["client_writes"], 10);
  EXPECT_GE(sent["client_reads"], 10);
  EXPECT_EQ(sent["server_frames_sent"], 0);
}

// A shard has connections of its own where there are as many as shards.
TEST(TcpDriverTest, ConnectionsAreUsedInTurn) {
  TcpSubject subject({.settings = R"(client_settings { name: "connections" int64_value: 4 })"});
  TestServer handler;
  auto driver = NewDriver(subject);
  ASSERT_TRUE(driver->StartServer(&handler).ok());
  ASSERT_TRUE(Connect(*driver, *driver->AcceptConnection("")).ok());
  std::map<TcpClientConnection*, int> of_shard[2];
  for (size_t shard = 0; shard < 2; ++shard) {
    for (int i = 0; i < 6; ++i) {
      TestCall call(*driver);
      call.peer = kServer;
      call.shard = ShardIndex(shard);
      call.Start();
      handler.Take().Respond({});
      ASSERT_TRUE(call.Wait().ok());
      ++of_shard[shard][TcpClientCall::Of(&call).connection];
    }
  }
  for (const auto& uses : of_shard) {
    ASSERT_EQ(uses.size(), 2u);
    for (const auto& [connection, count] : uses) EXPECT_EQ(count, 3);
  }
  for (const auto& [connection, count] : of_shard[0]) EXPECT_EQ(of_shard[1].count(connection), 0u);
  EXPECT_EQ(driver->Stop(Soon()), 0);
}

// --- Threads

// How many threads of each name there are.
std::map<std::string, int> Threads() {
  std::map<std::string, int> threads;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    std::string name;
    std::ifstream file(absl::StrCat("/proc/self/task/", task->d_name, "/comm"));
    if (std::getline(file, name) && absl::StartsWith(name, "db-tcp-")) ++threads[name];
  }
  closedir(tasks);
  return threads;
}

// A thread has its name as soon as it does something.
void Use(ProtocolDriver& driver) {
  TestServer handler(Echo);
  ASSERT_TRUE(driver.StartServer(&handler).ok());
  ASSERT_TRUE(Connect(driver, *driver.AcceptConnection("")).ok());
  EXPECT_EQ(driver.Stop(Soon()), 0);
}

TEST(TcpDriverTest, ThreadsStartWithTheFirstDriverAndDoNotGrowWithDrivers) {
  TcpSubject subject({.shards = 3});
  EXPECT_EQ(Threads(), (std::map<std::string, int>{}));
  for (int i = 0; i < 10; ++i) Use(*NewDriver(subject));
  EXPECT_EQ(Threads(),
            (std::map<std::string, int>{{"db-tcp-0", 1}, {"db-tcp-1", 1}, {"db-tcp-2", 1}}));
}

TEST(TcpDriverTest, DriversWithOtherLoopsHaveThreadsOfTheirOwn) {
  TcpSubject subject({.shards = 1});
  ProtocolDriverOptions spinning;
  for (auto* setting : {spinning.add_client_settings(), spinning.add_server_settings()}) {
    setting->set_name("poll");
    setting->set_string_value("spin");
  }
  Use(*NewDriver(subject));
  for (int i = 0; i < 3; ++i) {
    auto driver = subject.factory().Create(spinning, subject.environment());
    ASSERT_TRUE(driver.ok());
    Use(**driver);
  }
  EXPECT_EQ(Threads(), (std::map<std::string, int>{{"db-tcp-0", 2}}));
}

}  // namespace
}  // namespace distbench
