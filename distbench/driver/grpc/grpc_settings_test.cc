#include "distbench/driver/grpc/grpc_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

ProtocolDriverOptions Parse(const std::string& text) {
  ProtocolDriverOptions options;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &options)) << text;
  return options;
}

absl::StatusOr<GrpcSettings> Read(const std::string& text) {
  return ParseGrpcSettings(Parse(text));
}

std::string Server(const std::string& name, const std::string& value) {
  return "server_settings { name: '" + name + "' " + value + " } ";
}

std::string Client(const std::string& name, const std::string& value) {
  return "client_settings { name: '" + name + "' " + value + " } ";
}

std::string Word(const std::string& word) { return "string_value: '" + word + "'"; }
std::string Number(int64_t number) { return "int64_value: " + std::to_string(number); }

TEST(GrpcSettingsTest, DefaultsArePollingClientsAndInlineServers) {
  const auto settings = Read("ip_version: 4");
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->client.type, GrpcClientType::kPolling);
  EXPECT_EQ(settings->client.channels, 1u);
  EXPECT_EQ(settings->client.loops.queues, std::nullopt);
  EXPECT_EQ(settings->client.loops.threads_per_queue, 1u);
  EXPECT_EQ(settings->server.type, GrpcServerType::kInline);
  EXPECT_EQ(settings->server.pool, GrpcPoolType::kElastic);
  EXPECT_EQ(settings->server.pool_size, 0u);
  EXPECT_EQ(settings->server.loops.queues, std::nullopt);
}

TEST(GrpcSettingsTest, ReadsEachSettingOfTheClient) {
  const auto settings =
      Read(Client("client_type", Word("polling")) + Client("channels", Number(4)) +
           Client("completion_queues", Number(3)) + Client("threads_per_queue", Number(2)));
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->client.type, GrpcClientType::kPolling);
  EXPECT_EQ(settings->client.channels, 4u);
  EXPECT_EQ(settings->client.loops.queues, 3u);
  EXPECT_EQ(settings->client.loops.threads_per_queue, 2u);
  EXPECT_EQ(settings->server.loops.threads_per_queue, 1u);
  EXPECT_EQ(Read(Client("client_type", Word("callback")))->client.type, GrpcClientType::kCallback);
}

TEST(GrpcSettingsTest, ReadsEachSettingOfTheServer) {
  const auto settings =
      Read(Server("server_type", Word("handoff")) + Server("threadpool_type", Word("simple")) +
           Server("threadpool_size", Number(5)) + Server("completion_queues", Number(3)) +
           Server("threads_per_queue", Number(2)) + Server("transport", Word("tcp")));
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->server.type, GrpcServerType::kHandoff);
  EXPECT_EQ(settings->server.pool, GrpcPoolType::kSimple);
  EXPECT_EQ(settings->server.pool_size, 5u);
  EXPECT_EQ(settings->server.loops.queues, 3u);
  EXPECT_EQ(settings->server.loops.threads_per_queue, 2u);
  EXPECT_EQ(Read(Server("server_type", Word("polling")))->server.type, GrpcServerType::kPolling);
  EXPECT_EQ(Read(Server("threadpool_type", Word("null")))->server.pool, GrpcPoolType::kNull);
}

TEST(GrpcSettingsTest, AsyncCallbackMeansCallbackClientsAndHandoffServers) {
  const auto settings = ParseGrpcSettings(Parse(""), GrpcProtocol::kAsyncCallback);
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->client.type, GrpcClientType::kCallback);
  EXPECT_EQ(settings->server.type, GrpcServerType::kHandoff);
  const auto contradiction = ParseGrpcSettings(Parse(Client("client_type", Word("polling"))),
                                               GrpcProtocol::kAsyncCallback);
  EXPECT_EQ(contradiction.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(GrpcSettingsTest, WhatIsOfGrpcItselfBecomesAChannelArgument) {
  const auto settings = Read(Server("grpc.max_concurrent_streams", Number(7)) +
                             Client("grpc.primary_user_agent", Word("me")));
  ASSERT_TRUE(settings.ok()) << settings.status();
  ASSERT_EQ(settings->server.arguments.size(), 1u);
  EXPECT_EQ(settings->server.arguments[0].name, "grpc.max_concurrent_streams");
  EXPECT_EQ(std::get<int>(settings->server.arguments[0].value), 7);
  ASSERT_EQ(settings->client.arguments.size(), 1u);
  EXPECT_EQ(std::get<std::string>(settings->client.arguments[0].value), "me");
}

struct Refusal {
  std::string text;
  const char* names;  // each a part of the message
  const char* value;
  const char* remedy;
};

TEST(GrpcSettingsTest, RefusalNamesSettingValueAndWhatIsAccepted) {
  for (const Refusal& refusal : {
           Refusal{"ip_version: 5", "ip_version", "5", "4, 6, or 0"},
           {Server("server_type", Word("inlined")), "server_settings server_type", "\"inlined\"",
            "handoff, polling, inline"},
           {Server("server_type", Number(3)), "server_settings server_type", "3", "inline"},
           {Server("server_type", ""), "server_settings server_type", "no value", "inline"},
           {Server("transport", Word("homa")), "server_settings transport", "homa", "tcp"},
           {Server("threadpool_type", Word("big")), "threadpool_type", "big",
            "simple, elastic, null"},
           {Server("threadpool_size", Number(-1)), "threadpool_size", "-1", "from 0 to 512"},
           {Server("completion_queues", Number(0)), "completion_queues", "0", "from 1 to 64"},
           {Client("threads_per_queue", Number(17)), "threads_per_queue", "17", "from 1 to 16"},
           {Client("channels", Word("4")), "client_settings channels", "\"4\"", "int64_value"},
           {Client("channels", Number(1 << 20)), "client_settings channels", "1048576", "1024"},
           {Client("client_type", Word("inline")), "client_settings client_type", "inline",
            "callback, polling"},
           {Client("client_type", Word("callback")) + Client("completion_queues", Number(1)),
            "client_settings completion_queues", "callback", "leave one of the two out"},
           {Client("chanels", Number(2)), "client_settings chanels", "2", "channels"},
           {Server("zork", Number(2)), "server_settings zork", "2", "begin with grpc."},
           {Server("grpc.max_metadata_size", Number(int64_t{1} << 40)), "grpc.max_metadata_size",
            "1099511627776", "32 bits"},
           {Server("grpc.max_metadata_size", ""), "grpc.max_metadata_size", "no value",
            "string_value or an int64_value"},
           {Server("transport", Word("tcp")) + Server("transport", Word("tcp")),
            "server_settings transport", "twice", "keep one"},
       }) {
    const absl::Status status = Read(refusal.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << refusal.text;
    for (const char* part : {refusal.names, refusal.value, refusal.remedy}) {
      EXPECT_NE(status.message().find(part), std::string::npos) << part << " in " << status;
    }
  }
}

TEST(GrpcSettingsTest, TellsAllThatIsWrong) {
  const absl::Status status =
      Read("ip_version: 5 " + Server("server_type", Word("outline")) + Client("zork", Number(1)))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  for (const char* part : {"ip_version is 5", "server_type is \"outline\"", "zork (1)"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
  }
}

}  // namespace
}  // namespace distbench
