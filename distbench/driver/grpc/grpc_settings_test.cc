#include "distbench/driver/grpc/grpc_settings.h"

#include <string>

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

absl::Status Check(const std::string& text) { return CheckGrpcSettings(Parse(text)); }

TEST(GrpcSettingsTest, AcceptsWhatTheDriverDoes) {
  for (const char* text : {"", "ip_version: 0", "ip_version: 4", "ip_version: 6",
                           "server_settings { name: 'server_type' string_value: 'inline' }",
                           "client_settings { name: 'client_type' string_value: 'polling' }",
                           "server_settings { name: 'transport' string_value: 'tcp' }"}) {
    EXPECT_TRUE(Check(text).ok()) << text << Check(text);
  }
}

struct Refusal {
  const char* text;
  absl::StatusCode code;
  const char* names;  // both parts of the message
  const char* value;
};

TEST(GrpcSettingsTest, RefusalNamesSettingAndValue) {
  const auto kInvalid = absl::StatusCode::kInvalidArgument;
  const auto kUnimplemented = absl::StatusCode::kUnimplemented;
  for (const Refusal& refusal : {
           Refusal{"ip_version: 5", kInvalid, "ip_version", "5"},
           {"netdev_name: 'eth1'", kUnimplemented, "netdev_name", "eth1"},
           {"server_settings { name: 'server_type' string_value: 'handoff' }", kUnimplemented,
            "server_settings server_type", "handoff"},
           {"server_settings { name: 'server_type' string_value: 'inlined' }", kInvalid,
            "server_settings server_type", "inlined"},
           {"server_settings { name: 'server_type' int64_value: 3 }", kInvalid,
            "server_settings server_type", "3"},
           {"server_settings { name: 'server_type' }", kInvalid, "server_settings server_type",
            "no value"},
           {"client_settings { name: 'client_type' string_value: 'callback' }", kUnimplemented,
            "client_settings client_type", "callback"},
           {"server_settings { name: 'transport' string_value: 'homa' }", kInvalid,
            "server_settings transport", "homa"},
           {"client_settings { name: 'transport' string_value: 'tcp' }", kUnimplemented,
            "client_settings transport", "tcp"},
           {"server_settings { name: 'threadpool_size' int64_value: 8 }", kUnimplemented,
            "server_settings threadpool_size", "8"},
           {"client_settings { name: 'grpc.keepalive_time_ms' int64_value: 10 }", kUnimplemented,
            "client_settings grpc.keepalive_time_ms", "10"},
           {"server_settings { name: 'transport' string_value: 'tcp' } "
            "server_settings { name: 'transport' string_value: 'tcp' }",
            kInvalid, "server_settings transport", "twice"},
       }) {
    const absl::Status checked = Check(refusal.text);
    EXPECT_EQ(checked.code(), refusal.code) << refusal.text;
    EXPECT_NE(checked.message().find(refusal.names), std::string::npos) << checked;
    EXPECT_NE(checked.message().find(refusal.value), std::string::npos) << checked;
  }
}

TEST(GrpcSettingsTest, TellsAllThatIsWrong) {
  const absl::Status checked = Check(
      "ip_version: 5 server_settings { name: 'server_type' string_value: 'handoff' } "
      "client_settings { name: 'zork' int64_value: 1 }");
  EXPECT_EQ(checked.code(), absl::StatusCode::kInvalidArgument);
  for (const char* part : {"ip_version is 5", "server_type is \"handoff\"", "zork (1)"}) {
    EXPECT_NE(checked.message().find(part), std::string::npos) << checked;
  }
}

TEST(GrpcSettingsTest, IpVersionMustBeThatOfTheBindAddress) {
  EXPECT_TRUE(CheckIpVersion(Parse(""), "::1").ok());
  EXPECT_TRUE(CheckIpVersion(Parse("ip_version: 4"), "10.0.0.1").ok());
  EXPECT_TRUE(CheckIpVersion(Parse("ip_version: 6"), "fe80::1%lo").ok());
  EXPECT_FALSE(CheckIpVersion(Parse("ip_version: 6"), "10.0.0.1").ok());
  EXPECT_FALSE(CheckIpVersion(Parse("ip_version: 4"), "::").ok());
}

}  // namespace
}  // namespace distbench
