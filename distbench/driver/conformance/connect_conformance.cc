// How drivers find each other, and what they say when they do not.
#include <vector>

#include "absl/time/clock.h"
#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

TEST_P(DriverConformanceTest, DeadAddressIsAnErrorThatNamesItBeforeLong) {
  auto client = NewDriver();
  const absl::Time deadline = absl::Now() + absl::Milliseconds(300);
  const absl::Status connected = Connect(*client, subject_->dead_responder_info(), deadline);
  EXPECT_EQ(connected.code(), absl::StatusCode::kUnavailable) << connected;
  EXPECT_NE(connected.message().find(subject_->dead_address()), std::string::npos) << connected;
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, FailedConnectMayBeTriedAgain) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  const absl::Time deadline = absl::Now() + absl::Milliseconds(50);
  EXPECT_FALSE(Connect(*pair.client, subject_->dead_responder_info(), deadline).ok());
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  call.Start();
  EXPECT_TRUE(call.Wait().ok()) << call.status();
}

TEST_P(DriverConformanceTest, BadResponderInfoIsAnError) {
  auto client = NewDriver();
  for (const char* info : {"", "\xff\xff\xff", "nonsense", "\x1a\x09localhost", "\x1a\x03:::"}) {
    const absl::Status connected = Connect(*client, info, Soon());
    EXPECT_EQ(connected.code(), absl::StatusCode::kInvalidArgument) << connected;
  }
  EXPECT_EQ(client->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, PeerThatTheTestDoesNotHaveIsAnError) {
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  const auto responder_info = pair.server->AcceptConnection(pair.client->InitiatorInfo());
  ASSERT_TRUE(responder_info.ok());
  const InstanceIndex unknown(subject_->environment().peer_count);
  EXPECT_EQ(Connect(*pair.client, *responder_info, Soon(), unknown).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_P(DriverConformanceTest, AnyNumberOfPeersMayConnect) {
  TestServer handler(Echo);
  auto server = NewServer(&handler);
  std::vector<std::unique_ptr<ProtocolDriver>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(NewDriver());
    ConnectTo(*clients.back(), *server);
    TestCall call(*clients.back());
    call.peer = kServer;
    call.request = {.head = "hello"};
    call.Start();
    EXPECT_TRUE(call.Wait().ok()) << call.status();
  }
  for (const auto& client : clients) EXPECT_EQ(client->Stop(Soon()), 0);
  EXPECT_EQ(server->Stop(Soon()), 0);
}

TEST_P(DriverConformanceTest, StopEndsAConnectThatIsStillTrying) {
  auto client = NewDriver();
  absl::Mutex mutex;
  bool done = false;
  client->Connect(kServer, subject_->dead_responder_info(), absl::Now() + absl::Hours(1),
                  [&](absl::Status status) {
                    absl::MutexLock lock(&mutex);
                    EXPECT_FALSE(status.ok());
                    done = true;
                  });
  EXPECT_EQ(client->Stop(Soon()), 0);
  absl::MutexLock lock(&mutex);
  EXPECT_TRUE(done);
}

TEST_P(DriverConformanceTest, FactoryAcceptsItsOwnOptions) {
  EXPECT_TRUE(subject_->factory().Check(subject_->options()).ok());
}

TEST_P(DriverConformanceTest, SettingThatNobodyKnowsIsRefusedByName) {
  for (const bool server_side : {true, false}) {
    ProtocolDriverOptions options = subject_->options();
    NamedSetting* setting =
        server_side ? options.add_server_settings() : options.add_client_settings();
    setting->set_name("no_such_setting");
    setting->set_int64_value(3);
    const absl::Status checked = subject_->factory().Check(options);
    EXPECT_FALSE(checked.ok());
    EXPECT_NE(checked.message().find("no_such_setting"), std::string::npos) << checked;
    EXPECT_EQ(subject_->factory().Create(options, subject_->environment()).status(), checked);
  }
}

}  // namespace
}  // namespace distbench
