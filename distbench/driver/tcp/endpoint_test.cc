#include "distbench/driver/tcp/endpoint.h"

#include <sys/un.h>

#include <string>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(TcpEndpointTest, AddressesSurviveTheWayToThePeer) {
  for (const char* host : {"10.0.0.7", "::1", "fe80::1%lo"}) {
    const TcpEndpoint endpoint = {.address = {.host = host, .port = 4000}};
    const auto parsed = ParseEndpoint(EncodeEndpoint(endpoint));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->transport, TcpTransport::kTcp);
    EXPECT_EQ(parsed->address, endpoint.address);
  }
}

TEST(TcpEndpointTest, NamesSurviveTheWayToThePeer) {
  const TcpEndpoint endpoint = {
      .transport = TcpTransport::kUnix, .unix_name = "distbench-1-2", .scope = "here on earth"};
  const auto parsed = ParseEndpoint(EncodeEndpoint(endpoint));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->transport, TcpTransport::kUnix);
  EXPECT_EQ(parsed->unix_name, endpoint.unix_name);
  EXPECT_EQ(parsed->scope, endpoint.scope);
}

TEST(TcpEndpointTest, WhatIsNoEndpointIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("tcp:"), std::string("tcp:localhost:80"),
        std::string("tcp:10.0.0.1"), std::string("tcp:10.0.0.1:0"), std::string("tcp:::1:80"),
        std::string("unix:@ on x"), std::string("unix:@name"), std::string("udp:10.0.0.1:80"),
        "unix:@" + std::string(108, 'n') + " on x", std::string("\xff\x00\n", 3)}) {
    EXPECT_EQ(ParseEndpoint(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(TcpEndpointTest, NameOfAnotherHostCannotBeReached) {
  TcpEndpoint endpoint = {
      .transport = TcpTransport::kUnix, .unix_name = "distbench-1-2", .scope = UnixScope()};
  EXPECT_TRUE(CheckReachable(endpoint).ok());
  endpoint.scope = "somewhere/else";
  const absl::Status status = CheckReachable(endpoint);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* part : {"@distbench-1-2", "somewhere/else", "transport tcp"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
  }
}

TEST(TcpEndpointTest, ScopeNamesMachineAndNetwork) {
  EXPECT_EQ(UnixScope(), UnixScope());
  EXPECT_GT(UnixScope().size(), 36u) << UnixScope();
  EXPECT_EQ(UnixScope().find("net:"), std::string::npos) << UnixScope();
}

TEST(TcpEndpointTest, NamesAreOfTheAbstractKind) {
  const auto address = ToKernelAddress({.transport = TcpTransport::kUnix, .unix_name = "abc"});
  ASSERT_TRUE(address.ok());
  const auto* name = reinterpret_cast<const sockaddr_un*>(address->get());
  EXPECT_EQ(address->family(), AF_UNIX);
  EXPECT_EQ(std::string(name->sun_path, 4), std::string("\0abc", 4));
  EXPECT_EQ(address->length, sizeof(sa_family_t) + 4);
}

}  // namespace
}  // namespace distbench
