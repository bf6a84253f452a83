#include "test_builder/driver_choice.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ParameterValues Values(const std::string& driver, const std::vector<NamedValue>& given) {
  const auto parameters = DriverParameters(driver);
  EXPECT_TRUE(parameters.ok()) << parameters.status();
  const auto values = ParameterValues::Read(*parameters, given);
  EXPECT_TRUE(values.ok()) << values.status();
  return *values;
}

std::string Alias(const std::string& driver, int ip_version,
                  const std::vector<NamedValue>& given = {}) {
  return ProtocolAlias({driver, ip_version}, Values(driver, given));
}

std::string Options(const std::string& driver, int ip_version,
                    const std::vector<NamedValue>& given) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(DriverOptions({driver, ip_version}, Values(driver, given)), &text);
  return text;
}

TEST(ProtocolAliasTest, GrpcSaysItsTypesThenTheIpVersionThenThePool) {
  EXPECT_EQ(Alias("grpc", 0), "grpc_polling_inline");
  EXPECT_EQ(Alias("grpc", 4), "grpc_polling_inline_ipv4");
  const std::vector<NamedValue> handoff = {{"client_type", "callback"}, {"server_type", "handoff"}};
  EXPECT_EQ(Alias("grpc", 0, handoff), "grpc_callback_handoff");
  EXPECT_EQ(Alias("grpc", 6,
                  {{"server_type", "polling"},
                   {"threadpool_size", "4"},
                   {"threadpool_type", "simple"},
                   {"transport", "tcp"}}),
            "grpc_polling_polling_ipv6_simple_4_tcp");
}

TEST(ProtocolAliasTest, AnInlineServerHasNoPool) {
  EXPECT_EQ(Alias("grpc", 0, {{"threadpool_type", "simple"}, {"threadpool_size", "4"}}),
            "grpc_polling_inline");
}

TEST(ProtocolAliasTest, OtherDriversSayWhatIsSet) {
  EXPECT_EQ(Alias("tcp", 0), "tcp");
  EXPECT_EQ(Alias("tcp", 6, {{"transport", "unix"}, {"connections", "4"}}),
            "tcp_ipv6_unix_connections4");
  EXPECT_EQ(Alias("grpc_async_callback", 0, {{"threadpool_size", "4"}}), "grpc_async_callback_4");
  EXPECT_EQ(Alias("double_barrel", 0, {{"next_protocol_driver", "tcp"}}), "double_barrel_tcp");
}

TEST(DriverOptionsTest, SettingsGoToTheirSide) {
  EXPECT_EQ(Options("grpc", 6, {{"server_type", "handoff"}, {"threadpool_size", "4"}}),
            "name: \"default_protocol_driver_options\" protocol_name: \"grpc\" "
            "server_settings { name: \"server_type\" string_value: \"handoff\" } "
            "server_settings { name: \"threadpool_size\" int64_value: 4 } "
            "client_settings { name: \"client_type\" string_value: \"polling\" } "
            "ip_version: 6 ");
  EXPECT_EQ(Options("tcp", 0, {{"netdev_name", "lo"}}),
            "name: \"default_protocol_driver_options\" protocol_name: \"tcp\" "
            "netdev_name: \"lo\" ");
}

TEST(DriverOptionsTest, SettingsOfEventLoopsGoToBothSides) {
  EXPECT_EQ(Options("tcp", 0, {{"threads", "2"}}),
            "name: \"default_protocol_driver_options\" protocol_name: \"tcp\" "
            "server_settings { name: \"threads\" int64_value: 2 } "
            "client_settings { name: \"threads\" int64_value: 2 } ");
  EXPECT_EQ(Options("grpc_async_callback", 0, {{"completion_queues", "2"}}),
            "name: \"default_protocol_driver_options\" protocol_name: \"grpc_async_callback\" "
            "server_settings { name: \"completion_queues\" int64_value: 2 } ");
}

// What the driver says that it accepts of a side, when it is given something else.
std::set<std::string> Accepted(const KnownDrivers& drivers, const std::string& driver,
                               bool is_client) {
  ProtocolDriverOptions options;
  options.set_protocol_name(driver);
  NamedSetting* const setting =
      is_client ? options.add_client_settings() : options.add_server_settings();
  setting->set_name("what_no_driver_has");
  std::string message(drivers.check(driver, options).message());
  for (const char* before : {"known: ", "settings are "}) {
    const size_t at = message.find(before);
    if (at != std::string::npos) message.erase(0, at + std::string(before).size());
  }
  return absl::StrSplit(message.substr(0, message.find_first_of(");")), ", ");
}

std::set<std::string> NamesIn(const google::protobuf::RepeatedPtrField<NamedSetting>& settings) {
  std::set<std::string> names;
  for (const NamedSetting& setting : settings) names.insert(setting.name());
  return names;
}

TEST(DriverOptionsTest, TheyAreAllThatTheDriversAccept) {
  const auto registry = MakeDriverRegistry({.shards = 1});
  const KnownDrivers drivers = KnownDriversOf(*registry);
  for (const char* driver : {"grpc", "tcp"}) {
    for (const bool greatest : {false, true}) {
      std::vector<NamedValue> given;
      const auto parameters = DriverParameters(driver);
      ASSERT_TRUE(parameters.ok()) << parameters.status();
      for (const Parameter& parameter : *parameters) {
        if (parameter.kind == Parameter::Kind::kInteger) {
          const double value = greatest ? parameter.greatest : parameter.least;
          given.push_back({parameter.name, PlainNumber(value)});
        } else if (!parameter.choices.empty()) {
          given.push_back({parameter.name, parameter.choices.front()});
        }
      }
      const ProtocolDriverOptions options = DriverOptions({driver, 0}, Values(driver, given));
      EXPECT_TRUE(drivers.check(driver, options).ok()) << drivers.check(driver, options);
      EXPECT_EQ(NamesIn(options.client_settings()), Accepted(drivers, driver, true)) << driver;
      EXPECT_EQ(NamesIn(options.server_settings()), Accepted(drivers, driver, false)) << driver;
    }
  }
}

TEST(DriverParametersTest, UnknownDriverIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(DriverParameters("gprc").status().message(),
              AllOf(HasSubstr("'gprc'"), HasSubstr("'grpc'")));
}

}  // namespace
}  // namespace distbench
