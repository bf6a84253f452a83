#include <memory>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

ConformanceSubjectMaker MakerFor(std::string name, TcpSubjectOptions options) {
  return {.name = std::move(name),
          .make = [options] { return std::make_unique<TcpSubject>(options); }};
}

constexpr char kUnix[] = R"(server_settings { name: "transport" string_value: "unix" })";

constexpr char kSpin[] = R"(
    server_settings { name: "poll" string_value: "spin" }
    client_settings { name: "poll" string_value: "spin" })";

// Every write and read is a part of a message, every queue is full.
constexpr char kNarrow[] = R"(
    server_settings { name: "send_buffer_bytes" int64_value: 1 }
    server_settings { name: "receive_buffer_bytes" int64_value: 65536 }
    server_settings { name: "max_queued_bytes" int64_value: 1 }
    client_settings { name: "send_buffer_bytes" int64_value: 1 }
    client_settings { name: "receive_buffer_bytes" int64_value: 65536 }
    client_settings { name: "max_queued_bytes" int64_value: 1 })";

// More connections than loops, more loops than shards, and loops of the client's own.
constexpr char kMany[] = R"(
    server_settings { name: "threads" int64_value: 3 }
    client_settings { name: "threads" int64_value: 1 }
    client_settings { name: "connections" int64_value: 5 })";

INSTANTIATE_TEST_SUITE_P(Tcp, DriverConformanceTest,
                         testing::Values(MakerFor("OneShard", {.shards = 1}),
                                         MakerFor("ThreeShards", {.shards = 3}),
                                         MakerFor("Unix", {.settings = kUnix}),
                                         MakerFor("Spinning", {.settings = kSpin}),
                                         MakerFor("Narrow", {.settings = kNarrow}),
                                         MakerFor("ManyConnections", {.settings = kMany})),
                         [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
