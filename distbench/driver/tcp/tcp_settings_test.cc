#include "distbench/driver/tcp/tcp_settings.h"

#include <string>
#include <vector>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

absl::StatusOr<TcpSettings> Parse(const std::string& text) {
  ProtocolDriverOptions options;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &options)) << text;
  return ParseTcpSettings(options);
}

TEST(TcpSettingsTest, NothingSaidMeansTcpAndSleeping) {
  const auto settings = Parse("");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->transport, TcpTransport::kTcp);
  EXPECT_FALSE(settings->connections.has_value());
  EXPECT_FALSE(settings->client.threads.has_value());
  EXPECT_EQ(settings->client.poll, PollMode::kBlock);
  EXPECT_EQ(settings->server.max_queued_bytes, 1 << 20);
}

TEST(TcpSettingsTest, EachSideHasItsOwn) {
  const auto settings = Parse(R"(
      server_settings { name: "transport" string_value: "unix" }
      server_settings { name: "threads" int64_value: 3 }
      server_settings { name: "max_queued_bytes" int64_value: 5000 }
      client_settings { name: "threads" int64_value: 2 }
      client_settings { name: "poll" string_value: "spin" }
      client_settings { name: "connections" int64_value: 8 }
      client_settings { name: "send_buffer_bytes" int64_value: 4096 }
      client_settings { name: "receive_buffer_bytes" int64_value: 8192 })");
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->transport, TcpTransport::kUnix);
  EXPECT_EQ(settings->server.threads, 3u);
  EXPECT_EQ(settings->server.poll, PollMode::kBlock);
  EXPECT_EQ(settings->server.max_queued_bytes, 5000);
  EXPECT_EQ(settings->client.threads, 2u);
  EXPECT_EQ(settings->client.poll, PollMode::kSpin);
  EXPECT_EQ(settings->connections, 8u);
  EXPECT_EQ(settings->client.send_buffer_bytes, 4096);
  EXPECT_EQ(settings->client.receive_buffer_bytes, 8192);
}

// Each error names the setting, its value and what would be right.
TEST(TcpSettingsTest, WrongValuesAreNamed) {
  struct Case {
    std::string text;
    std::vector<std::string> named;
  };
  const std::vector<Case> cases = {
      {R"(client_settings { name: "threads" int64_value: 0 })", {"threads", "is 0", "1 to 256"}},
      {R"(client_settings { name: "threads" string_value: "2" })", {"threads", "\"2\"", "int64"}},
      {R"(client_settings { name: "connections" int64_value: 5000 })", {"5000", "1024"}},
      {R"(client_settings { name: "transport" string_value: "unix" })",
       {"client_settings transport", "not known", "connections"}},
      {R"(server_settings { name: "connections" int64_value: 5 })",
       {"server_settings connections", "not known", "transport"}},
      {R"(server_settings { name: "transport" string_value: "sctp" })",
       {"transport", "\"sctp\"", "tcp or unix"}},
      {R"(server_settings { name: "poll" })", {"poll", "no value", "block or spin"}},
      {R"(server_settings { name: "poll" string_value: "spin" }
          server_settings { name: "poll" string_value: "spin" })",
       {"poll", "twice"}},
      {R"(server_settings { name: "send_buffer_bytes" int64_value: -1 })", {"send_buffer", "-1"}},
      {"ip_version: 5", {"ip_version is 5", "4, 6, or 0"}},
      {R"(ip_version: 4 server_settings { name: "transport" string_value: "unix" })",
       {"ip_version is 4", "unix"}},
      {R"(netdev_name: "eth0" server_settings { name: "transport" string_value: "unix" })",
       {"netdev_name", "eth0", "unix", "leave one of them out"}},
  };
  for (const Case& wrong : cases) {
    const absl::Status status = Parse(wrong.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << wrong.text;
    for (const std::string& named : wrong.named) {
      EXPECT_NE(status.message().find(named), std::string::npos) << named << " in " << status;
    }
  }
}

TEST(TcpSettingsTest, AllThatIsWrongIsToldAtOnce) {
  const absl::Status status = Parse(R"(
      ip_version: 7
      server_settings { name: "poll" string_value: "never" }
      client_settings { name: "speed" int64_value: 11 })")
                                  .status();
  for (const char* named : {"ip_version", "poll", "speed"}) {
    EXPECT_NE(status.message().find(named), std::string::npos) << named << " in " << status;
  }
}

}  // namespace
}  // namespace distbench
