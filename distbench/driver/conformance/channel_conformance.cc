// Multi-server channels, of drivers that have them: who is called, and when nobody can be.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/driver/conformance/driver_conformance.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr ChannelIndex kChannel(1);
constexpr char kRoundRobin[] = "round_robin";
constexpr char kPickFirst[] = "pick_first";

MultiServerChannel ConfigOf(const std::string& policy) {
  MultiServerChannel config;
  config.set_name("channel");
  NamedSetting& setting = *config.add_channel_settings();
  setting.set_name("policy");
  setting.set_string_value(policy);
  return config;
}

absl::Status ConnectChannel(ProtocolDriver& client, const ChannelTarget& target,
                            absl::Time deadline, ChannelIndex channel = kChannel) {
  absl::Notification connected;
  absl::Status result;
  client.ConnectChannel(channel, target, deadline, [&](absl::Status status) {
    result = std::move(status);
    connected.Notify();
  });
  connected.WaitForNotification();
  return result;
}

// Servers that answer with their numbers, and a client. Stops all in the end.
class ChannelScene {
 public:
  using NewServer = std::function<std::unique_ptr<ProtocolDriver>(RequestHandler*)>;

  ChannelScene(std::unique_ptr<ProtocolDriver> client_driver, const NewServer& new_server)
      : client(std::move(client_driver)) {
    for (size_t i = 0; i < 3; ++i) {
      handlers_.push_back(std::make_unique<TestServer>(
          [number = std::to_string(i)](const ReceivedMessage&, Responder responder) {
            responder.Respond({.head = number});
          }));
      servers_.push_back(new_server(handlers_.back().get()));
    }
  }
  ~ChannelScene() {
    EXPECT_EQ(client->Stop(Soon()), 0);
    for (const auto& server : servers_) {
      if (server != nullptr) {
        EXPECT_EQ(server->Stop(Soon()), 0);
      }
    }
  }

  bool has_channels() const { return client->capabilities().multi_server_channels; }

  void StopServer(size_t i) {
    EXPECT_EQ(servers_[i]->Stop(Soon()), 0);
    servers_[i] = nullptr;
  }

  std::string InfoOf(size_t i) {
    return servers_[i]->AcceptConnection(client->InitiatorInfo()).value();
  }
  ChannelTarget::Member Member(size_t i) {
    return {.peer = InstanceIndex(i), .responder_info = InfoOf(i)};
  }
  std::vector<ChannelTarget::Member> AllMembers() { return {Member(0), Member(1), Member(2)}; }

  absl::Status Connect(std::vector<ChannelTarget::Member> members,
                       const std::string& policy = kRoundRobin, absl::Time deadline = Soon()) {
    const MultiServerChannel config = ConfigOf(policy);
    return ConnectChannel(*client, {.config = &config, .members = std::move(members)}, deadline);
  }

  // Who answers a call on the channel; empty: nobody.
  std::string Call() {
    TestCall call(*client);
    call.channel = kChannel;
    call.Start();
    call.Wait().IgnoreError();
    return call.response();
  }

  // Calls until each of them has answered, so that all are connected.
  void AwaitAnswersOf(std::set<std::string> servers) {
    const absl::Time deadline = Soon();
    while (!servers.empty() && absl::Now() < deadline) servers.erase(Call());
    EXPECT_TRUE(servers.empty()) << *servers.begin() << " does not answer";
  }

  const std::unique_ptr<ProtocolDriver> client;

 private:
  std::vector<std::unique_ptr<TestServer>> handlers_;
  std::vector<std::unique_ptr<ProtocolDriver>> servers_;
};

#define CHANNEL_SCENE_OR_SKIP(scene)                                                   \
  ChannelScene scene(NewDriver(), [this](RequestHandler* h) { return NewServer(h); }); \
  if (!scene.has_channels()) GTEST_SKIP() << "this driver has no multi-server channels"

TEST_P(DriverConformanceTest, ChannelTakesItsMembersInTurn) {
  CHANNEL_SCENE_OR_SKIP(scene);
  ASSERT_EQ(scene.Connect(scene.AllMembers()), absl::OkStatus());
  scene.AwaitAnswersOf({"0", "1", "2"});
  constexpr int kCalls = 300;
  std::map<std::string, int> answers;
  for (int i = 0; i < kCalls; ++i) ++answers[scene.Call()];
  // Exactly a third each, if the driver has one connection to a member; each may have its own turn,
  // and hear of the members at its own time.
  EXPECT_EQ(answers.size(), 3u) << answers.begin()->first;
  for (const auto& [server, count] : answers) EXPECT_GE(count, kCalls / 4) << server;
}

TEST_P(DriverConformanceTest, ChannelOfAnotherPolicyStaysWithTheFirstMember) {
  CHANNEL_SCENE_OR_SKIP(scene);
  ASSERT_EQ(scene.Connect({scene.Member(2), scene.Member(0)}, kPickFirst), absl::OkStatus());
  for (int i = 0; i < 30; ++i) EXPECT_EQ(scene.Call(), "2");
}

TEST_P(DriverConformanceTest, ChannelDoesWithoutMembersThatAreDead) {
  CHANNEL_SCENE_OR_SKIP(scene);
  const ChannelTarget::Member dead = {.peer = InstanceIndex(0),
                                      .responder_info = subject_->dead_responder_info()};
  for (const char* policy : {kRoundRobin, kPickFirst}) {
    const ChannelIndex channel(policy == std::string(kRoundRobin) ? 0 : 1);
    const MultiServerChannel config = ConfigOf(policy);
    ASSERT_EQ(ConnectChannel(*scene.client, {.config = &config, .members = {dead, scene.Member(1)}},
                             Soon(), channel),
              absl::OkStatus());
    TestCall call(*scene.client);
    call.channel = channel;
    for (int i = 0; i < 10; ++i) {
      call.Start();
      ASSERT_TRUE(call.Wait().ok()) << call.status();
      EXPECT_EQ(call.response(), "1");
    }
  }
}

TEST_P(DriverConformanceTest, ChannelOfDeadMembersIsAnErrorThatNamesThemBeforeLong) {
  CHANNEL_SCENE_OR_SKIP(scene);
  const absl::Status connected =
      scene.Connect({{.peer = InstanceIndex(0), .responder_info = subject_->dead_responder_info()}},
                    kRoundRobin, absl::Now() + absl::Milliseconds(300));
  EXPECT_EQ(connected.code(), absl::StatusCode::kUnavailable) << connected;
  EXPECT_NE(connected.message().find(subject_->dead_address()), std::string::npos) << connected;
  EXPECT_EQ(scene.Connect({scene.Member(0)}), absl::OkStatus()) << "it may be tried again";
  EXPECT_EQ(scene.Call(), "0");
}

TEST_P(DriverConformanceTest, MemberThatStopsIsNotCalledAnyMore) {
  CHANNEL_SCENE_OR_SKIP(scene);
  ASSERT_EQ(scene.Connect({scene.Member(0), scene.Member(1)}), absl::OkStatus());
  scene.AwaitAnswersOf({"0", "1"});
  scene.StopServer(0);
  // Each connection hears of it at its own time.
  const absl::Time deadline = Soon();
  for (int in_a_row = 0; in_a_row < 20 && absl::Now() < deadline;) {
    in_a_row = scene.Call() == "1" ? in_a_row + 1 : 0;
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(scene.Call(), "1");
}

TEST_P(DriverConformanceTest, ChannelThatCannotBeIsAnError) {
  CHANNEL_SCENE_OR_SKIP(scene);
  EXPECT_EQ(scene.Connect({scene.Member(0), {.peer = InstanceIndex(1), .responder_info = "x"}}),
            scene.Connect({{.peer = InstanceIndex(1), .responder_info = "x"}}));
  EXPECT_EQ(scene.Connect({{.peer = InstanceIndex(1), .responder_info = "x"}}).code(),
            absl::StatusCode::kInvalidArgument);
  const MultiServerChannel config = ConfigOf(kRoundRobin);
  const ChannelTarget target = {.config = &config, .members = {scene.Member(0)}};
  const ChannelIndex unknown(subject_->environment().channel_count);
  EXPECT_EQ(ConnectChannel(*scene.client, target, Soon(), unknown).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_P(DriverConformanceTest, CallsOnChannelsAndCallsToPeersDoNotMix) {
  CHANNEL_SCENE_OR_SKIP(scene);
  ASSERT_EQ(scene.Connect({scene.Member(1)}), absl::OkStatus());
  const absl::Status connected = Connect(*scene.client, scene.InfoOf(2), Soon(), InstanceIndex(1));
  ASSERT_TRUE(connected.ok()) << connected;
  TestCall call(*scene.client);
  call.peer = InstanceIndex(1);
  for (int i = 0; i < 10; ++i) {
    call.channel = std::nullopt;
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    EXPECT_EQ(call.response(), "2");
    call.channel = kChannel;
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    EXPECT_EQ(call.response(), "1");
  }
}

TEST_P(DriverConformanceTest, SettingsOfChannelsAreRefusedByName) {
  const DriverFactory& factory = subject_->factory();
  const ProtocolDriverOptions options = subject_->options();
  if (!NewDriver()->capabilities().multi_server_channels) {
    EXPECT_EQ(factory.CheckChannel(options, ConfigOf(kRoundRobin)).code(),
              absl::StatusCode::kUnimplemented);
    return;
  }
  EXPECT_EQ(factory.CheckChannel(options, ConfigOf(kRoundRobin)), absl::OkStatus());
  const absl::Status refused = factory.CheckChannel(options, ConfigOf("no_such_policy"));
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(refused.message().find("no_such_policy"), std::string::npos) << refused;
}

}  // namespace
}  // namespace distbench
