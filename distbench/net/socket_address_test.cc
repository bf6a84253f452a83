#include "distbench/net/socket_address.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

TEST(FamilyOfTest, TellsNumericAddressesFromNames) {
  EXPECT_EQ(FamilyOf("10.0.0.7"), IpFamily::kV4);
  EXPECT_EQ(FamilyOf("::1"), IpFamily::kV6);
  EXPECT_EQ(FamilyOf("fe80::1%eth0"), IpFamily::kV6);
  for (const char* text : {"", "worker-3", "10.0.0", "10.0.0.256", "::g", "fe80::1%", "[::1]"}) {
    EXPECT_EQ(FamilyOf(text), std::nullopt) << text;
  }
}

TEST(SocketAddressTest, RecognizesAddressesOfThisMachineOnly) {
  for (const char* ip : {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(IsLoopback(ip)) << ip;
  }
  for (const char* ip : {"10.0.0.1", "::", "fe80::1", "localhost", "::ffff:10.0.0.1"}) {
    EXPECT_FALSE(IsLoopback(ip)) << ip;
  }
}

TEST(SocketAddressTest, RecognizesLinkLocalAndWildcardAddresses) {
  EXPECT_TRUE(IsLinkLocal("fe80::1%eth0"));
  EXPECT_TRUE(IsLinkLocal("169.254.3.4"));
  EXPECT_FALSE(IsLinkLocal("fd00::1"));
  EXPECT_FALSE(IsLinkLocal("eth0"));
  EXPECT_TRUE(IsWildcard("::"));
  EXPECT_TRUE(IsWildcard("0.0.0.0"));
  EXPECT_FALSE(IsWildcard("0.0.0.1"));
  EXPECT_FALSE(IsWildcard(""));
}

TEST(ParseHostPortTest, ReadsWhatFormatWrites) {
  for (const HostPort& address :
       {HostPort{"10.0.0.7", 10000}, HostPort{"::1", 1}, HostPort{"fe80::1%eth0", 65535},
        HostPort{"worker-3.example", 80}}) {
    const std::string text = FormatHostPort(address.host, address.port);
    const auto parsed = ParseHostPort(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, address) << text;
  }
}

TEST(ParseHostPortTest, PutsBracketsAroundIpv6Only) {
  EXPECT_EQ(FormatHostPort("::1", 5), "[::1]:5");
  EXPECT_EQ(FormatHostPort("10.0.0.7", 5), "10.0.0.7:5");
}

TEST(ParseHostPortTest, RefusesWhatIsNoHostAndPortAndSaysWhy) {
  const struct {
    const char* text;
    const char* problem;
  } kCases[] = {
      {"", "has no port"},
      {"worker", "has no port"},
      {":80", "has no host"},
      {"worker:", "needs a port from 1 to 65535"},
      {"worker:0", "needs a port from 1 to 65535"},
      {"worker:65536", "needs a port from 1 to 65535"},
      {"worker:+80", "needs a port from 1 to 65535"},
      {"worker: 80", "needs a port from 1 to 65535"},
      {"worker:99999999999999999999", "needs a port from 1 to 65535"},
      {"::1:80", "has no valid host"},
      {"[::1:80", "has a bracket that is not closed"},
      {"[worker]:80", "has no IPv6 address in brackets"},
      {"[]:80", "has no IPv6 address in brackets"},
      {"a b:80", "has no valid host"},
      {"http://worker:80", "has no valid host"},
  };
  for (const auto& c : kCases) {
    const auto parsed = ParseHostPort(c.text);
    ASSERT_FALSE(parsed.ok()) << c.text;
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(c.problem)) << c.text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(std::string("'") + c.text + "'"));
  }
}

TEST(ParseHostPortTest, EscapesWhatWouldBreakALine) {
  const auto parsed = ParseHostPort("a\nb:80");
  EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("'a\\nb:80'"));
}

}  // namespace
}  // namespace distbench
