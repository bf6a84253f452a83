#include "test_builder/driver_choice.h"

#include <string>
#include <vector>

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

TEST(DriverParametersTest, UnknownDriverIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(DriverParameters("gprc").status().message(),
              AllOf(HasSubstr("'gprc'"), HasSubstr("'grpc'")));
}

}  // namespace
}  // namespace distbench
