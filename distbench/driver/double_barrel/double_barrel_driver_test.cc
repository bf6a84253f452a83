#include "distbench/driver/double_barrel/double_barrel_driver.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/testing/simulated_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

constexpr InstanceIndex kServer(1);

// A fake driver that notes what is asked of it, by the requests' heads.
class NotingDriver final : public ProtocolDriver {
 public:
  explicit NotingDriver(std::unique_ptr<ProtocolDriver> driver) : driver_(std::move(driver)) {}

  absl::Status StartServer(RequestHandler* handler) override {
    return driver_->StartServer(handler);
  }
  absl::StatusOr<std::string> AcceptConnection(absl::string_view info) override {
    return driver_->AcceptConnection(info);
  }
  std::string InitiatorInfo() override { return driver_->InitiatorInfo(); }
  void Connect(InstanceIndex peer, absl::string_view info, absl::Time deadline,
               std::function<void(absl::Status)> done) override {
    ++connects;
    driver_->Connect(peer, info, deadline, std::move(done));
  }
  std::unique_ptr<DriverCallState> NewCallState() override { return driver_->NewCallState(); }
  void StartCall(ClientCall* call) override {
    started.emplace_back(call->request.head);
    driver_->StartCall(call);
  }
  void CancelCall(ClientCall* call) override {
    cancelled.emplace_back(call->request.head);
    driver_->CancelCall(call);
  }
  void ReleaseCall(ClientCall* call) override { released.emplace_back(call->request.head); }
  void Flush(ShardIndex) override { ++flushes; }
  DriverCapabilities capabilities() const override { return driver_->capabilities(); }
  std::vector<DriverStatistic> Statistics() const override {
    return {{"started", static_cast<int64_t>(started.size())}};
  }
  int64_t Stop(absl::Time deadline) override { return driver_->Stop(deadline); }

  int connects = 0;
  int flushes = 0;
  std::vector<std::string> started;
  std::vector<std::string> cancelled;
  std::vector<std::string> released;

 private:
  const std::unique_ptr<ProtocolDriver> driver_;
};

class DoubleBarrelDriverTest : public testing::Test {
 protected:
  DoubleBarrelDriverTest() : client_(NewOptions(&clients_)), server_(NewOptions(&servers_)) {}
  ~DoubleBarrelDriverTest() override {
    EXPECT_EQ(client_.Stop(absl::InfinitePast()), 0);
    EXPECT_EQ(server_.Stop(absl::InfinitePast()), 0);
  }

  DoubleBarrelOptions NewOptions(PerBarrel<NotingDriver*>* drivers) {
    const DriverEnvironment environment = {.clock = &time_, .timers = &time_, .peer_count = 2};
    DoubleBarrelOptions options = {.barrels = {}, .shards = 2, .peer_count = 2};
    for (size_t i = 0; i < kBarrels; ++i) {
      auto driver =
          std::make_unique<NotingDriver>(std::make_unique<FakeDriver>(&network_, environment));
      (*drivers)[i] = driver.get();
      options.barrels[i] = std::move(driver);
    }
    return options;
  }

  absl::Status Connect(const std::string& responder_info) {
    absl::Status result = absl::UnknownError("not called");
    client_.Connect(kServer, responder_info, absl::InfiniteFuture(),
                    [&](absl::Status status) { result = std::move(status); });
    return result;
  }
  void StartAndConnect(RequestHandler* handler) {
    ASSERT_TRUE(server_.StartServer(handler).ok());
    ASSERT_EQ(Connect(*server_.AcceptConnection(client_.InitiatorInfo())), absl::OkStatus());
  }

  std::unique_ptr<TestCall> NewCall(const std::string& head, size_t shard = 0) {
    auto call = std::make_unique<TestCall>(client_);
    call->peer = kServer;
    call->shard = ShardIndex(shard);
    heads_.push_back(std::make_unique<std::string>(head));
    call->request = {.head = *heads_.back()};
    return call;
  }

  SimulatedTime time_;
  FakeNetwork network_;
  PerBarrel<NotingDriver*> clients_{};
  PerBarrel<NotingDriver*> servers_{};
  std::vector<std::unique_ptr<std::string>> heads_;
  DoubleBarrelDriver client_;
  DoubleBarrelDriver server_;
};

TEST_F(DoubleBarrelDriverTest, CallsOfAShardTakeTheBarrelsInTurn) {
  TestServer handler(Echo);
  StartAndConnect(&handler);
  for (const auto& [head, shard] : std::vector<std::pair<std::string, size_t>>{
           {"a", 0}, {"b", 0}, {"x", 1}, {"c", 0}, {"y", 1}, {"z", 1}}) {
    const auto call = NewCall(head, shard);
    call->Start();
    EXPECT_EQ(call->response(), head);
  }
  EXPECT_THAT(clients_[0]->started, ElementsAre("a", "x", "c", "z"));
  EXPECT_THAT(clients_[1]->started, ElementsAre("b", "y"));
}

TEST_F(DoubleBarrelDriverTest, EachBarrelCallsThePeersBarrelOfItsNumber) {
  TestServer handler(Echo);
  StartAndConnect(&handler);
  EXPECT_EQ(servers_[1]->Stop(absl::InfinitePast()), 0);
  const auto first = NewCall("first");
  const auto second = NewCall("second");
  first->Start();
  second->Start();
  EXPECT_TRUE(first->status().ok()) << first->status();
  EXPECT_EQ(second->status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(DoubleBarrelDriverTest, CancelAndReleaseReachTheBarrelThatHasTheCall) {
  TestServer handler;
  StartAndConnect(&handler);
  const auto first = NewCall("first");
  const auto second = NewCall("second");
  first->Start();
  second->Start();
  second->Cancel();
  EXPECT_FALSE(first->done());
  EXPECT_EQ(second->status().code(), absl::StatusCode::kCancelled);
  client_.ReleaseCall(second.get());
  EXPECT_THAT(clients_[0]->cancelled, ElementsAre());
  EXPECT_THAT(clients_[1]->cancelled, ElementsAre("second"));
  EXPECT_THAT(clients_[1]->released, ElementsAre("second"));
  handler.AnswerAll();
  EXPECT_TRUE(first->status().ok());
}

TEST_F(DoubleBarrelDriverTest, OneFailedBarrelFailsTheConnectAndIsTriedAgainAlone) {
  TestServer handler;
  ASSERT_TRUE(server_.StartServer(&handler).ok());
  const std::string info = *server_.AcceptConnection(client_.InitiatorInfo());
  const PerBarrel<std::string> infos = *SplitBarrels(info);
  EXPECT_EQ(Connect(JoinBarrels({infos[0], "fake:99"})).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Connect(info), absl::OkStatus());
  EXPECT_EQ(clients_[0]->connects, 1);
  EXPECT_EQ(clients_[1]->connects, 2);
}

TEST_F(DoubleBarrelDriverTest, StatisticsAreSumsAndFlushReachesBoth) {
  TestServer handler(Echo);
  StartAndConnect(&handler);
  for (int i = 0; i < 5; ++i) NewCall("x")->Start();
  client_.Flush(ShardIndex(0));
  const std::vector<DriverStatistic> statistics = client_.Statistics();
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_EQ(statistics[0].name, "started");
  EXPECT_EQ(statistics[0].value, 5);
  EXPECT_EQ(clients_[0]->flushes, 1);
  EXPECT_EQ(clients_[1]->flushes, 1);
}

TEST(SplitBarrelsTest, IsTheReverseOfJoinBarrels) {
  const PerBarrel<std::string> infos = {std::string("\0x", 2), ""};
  EXPECT_EQ(*SplitBarrels(JoinBarrels(infos)), infos);
}

TEST(SplitBarrelsTest, AnythingElseIsAnError) {
  for (const char* info : {"", "nonsense", "\x0a\x01x", "\x0a\x01x\x0a\x01y\x0a\x01z"}) {
    EXPECT_EQ(SplitBarrels(info).status().code(), absl::StatusCode::kInvalidArgument) << info;
  }
}

}  // namespace
}  // namespace distbench
