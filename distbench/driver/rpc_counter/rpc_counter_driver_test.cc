#include "distbench/driver/rpc_counter/rpc_counter_driver.h"

#include <map>
#include <memory>
#include <string>

#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/driver/rpc_counter/rpc_counter_driver_factory.h"
#include "distbench/testing/simulated_time.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::map<std::string, int64_t> StatisticsOf(const ProtocolDriver& driver) {
  std::map<std::string, int64_t> values;
  for (const DriverStatistic& statistic : driver.Statistics()) {
    values[statistic.name] = statistic.value;
  }
  return values;
}

class RpcCounterDriverTest : public testing::Test {
 protected:
  RpcCounterDriverTest() {
    registry_.Register("fake", std::make_unique<FakeDriverFactory>(&network_));
  }

  std::unique_ptr<ProtocolDriver> NewDriver() {
    auto driver = factory_.Create(Options("inner_driver { protocol_name: 'fake' }"),
                                  {.clock = &time_, .timers = &time_, .peer_count = 2});
    EXPECT_TRUE(driver.ok()) << driver.status();
    return std::move(driver).value();
  }
  static ProtocolDriverOptions Options(const std::string& text) {
    ProtocolDriverOptions options;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &options)) << text;
    return options;
  }

  SimulatedTime time_;
  FakeNetwork network_;
  DriverRegistry registry_;
  RpcCounterDriverFactory factory_{{.registry = &registry_, .shards = 2}};
};

TEST_F(RpcCounterDriverTest, CountsWhatIsStartedAndWhatArrives) {
  const auto client = NewDriver();
  const auto server = NewDriver();
  TestServer handler(Echo);
  ASSERT_TRUE(server->StartServer(&handler).ok());
  client->Connect(InstanceIndex(1), *server->AcceptConnection(client->InitiatorInfo()),
                  absl::InfiniteFuture(), [](absl::Status status) { ASSERT_TRUE(status.ok()); });
  TestCall call(*client);
  call.peer = InstanceIndex(1);
  for (size_t i = 0; i < 7; ++i) {
    call.shard = ShardIndex(i % 2);
    call.Start();
    ASSERT_TRUE(call.status().ok());
  }
  network_.FailCalls(absl::UnavailableError("cut"));
  call.Start();
  EXPECT_FALSE(call.status().ok());
  EXPECT_THAT(StatisticsOf(*client),
              UnorderedElementsAre(Pair("client_rpc_cnt", 8), Pair("server_rpc_cnt", 0)));
  EXPECT_THAT(StatisticsOf(*server),
              UnorderedElementsAre(Pair("client_rpc_cnt", 0), Pair("server_rpc_cnt", 7)));
  EXPECT_EQ(client->Stop(absl::InfinitePast()), 0);
  EXPECT_EQ(server->Stop(absl::InfinitePast()), 0);
}

TEST_F(RpcCounterDriverTest, OptionsMustNameADriverInsideThatAcceptsItsOwn) {
  const auto message = [this](const std::string& options) {
    return std::string(factory_.Check(Options(options)).message());
  };
  EXPECT_THAT(message(""), HasSubstr("name it in the setting driver_under_test"));
  EXPECT_THAT(message("inner_driver { protocol_name: 'fakes' }"),
              HasSubstr("'fakes', which is no driver (did you mean 'fake'?)"));
  EXPECT_THAT(message("inner_driver { protocol_name: 'fake' "
                      "client_settings { name: 'x' int64_value: 1 } }"),
              HasSubstr("the driver inside composable_rpc_counter: setting x"));
}

}  // namespace
}  // namespace distbench
