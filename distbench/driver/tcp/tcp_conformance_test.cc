#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

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
                         testing::Values(TcpSubjectMaker("OneShard", {.shards = 1}),
                                         TcpSubjectMaker("ThreeShards", {.shards = 3}),
                                         TcpSubjectMaker("Unix", {.settings = kUnix}),
                                         TcpSubjectMaker("Spinning", {.settings = kSpin}),
                                         TcpSubjectMaker("Narrow", {.settings = kNarrow}),
                                         TcpSubjectMaker("ManyConnections", {.settings = kMany})),
                         [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
