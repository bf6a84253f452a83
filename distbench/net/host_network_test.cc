#include "distbench/net/host_network.h"

#include <netinet/in.h>

#include "distbench/net/socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

// These run on the network of the machine, of which only loopback is sure to exist.

TEST(SystemNetworkTest, ListsTheLoopbackDevice) {
  const auto addresses = SystemNetwork().Addresses();
  ASSERT_TRUE(addresses.ok()) << addresses.status();
  EXPECT_THAT(*addresses, Contains(Field(&DeviceAddress::ip, "127.0.0.1")));
  for (const DeviceAddress& address : *addresses) {
    EXPECT_TRUE(FamilyOf(address.ip).has_value()) << address.ip;
    if (FamilyOf(address.ip) == IpFamily::kV6 && IsLinkLocal(address.ip)) {
      EXPECT_THAT(address.ip, HasSubstr("%" + address.device));
    }
  }
}

TEST(SystemNetworkTest, ResolvesNumericAddressesToThemselves) {
  EXPECT_THAT(*SystemNetwork().Resolve("192.0.2.77"), testing::ElementsAre("192.0.2.77"));
  EXPECT_THAT(*SystemNetwork().Resolve("2001:db8::1"), testing::ElementsAre("2001:db8::1"));
}

TEST(SystemNetworkTest, NamesAHostThatCannotBeResolved) {
  const auto ips = SystemNetwork().Resolve("no such host");
  ASSERT_FALSE(ips.ok());
  EXPECT_THAT(std::string(ips.status().message()), HasSubstr("'no such host'"));
}

TEST(SystemNetworkTest, ReachesLoopbackFromLoopback) {
  EXPECT_EQ(*SystemNetwork().SourceTowards("127.0.0.1"), "127.0.0.1");
  EXPECT_FALSE(SystemNetwork().SourceTowards("worker").ok());
}

TEST(SystemNetworkTest, HasAName) { EXPECT_NE(SystemNetwork().HostName(), ""); }

TEST(CanListenTest, NamesTheAddressThatIsInUse) {
  const auto name = SocketName::FromNumeric("127.0.0.1", 0);
  ASSERT_TRUE(name.ok());
  const OwnedSocket listener(::socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(bind(listener.fd(), name->address(), name->length()), 0);
  ASSERT_EQ(listen(listener.fd(), 1), 0);
  sockaddr_in bound = {};
  socklen_t length = sizeof(bound);
  ASSERT_EQ(getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&bound), &length), 0);
  const uint16_t port = ntohs(bound.sin_port);

  const absl::Status status = CanListen("127.0.0.1", port);
  EXPECT_THAT(std::string(status.message()), HasSubstr("127.0.0.1:" + std::to_string(port)));
  EXPECT_THAT(std::string(status.message()), HasSubstr("in use"));
  EXPECT_TRUE(CanListen("127.0.0.1", 0).ok());
}

TEST(CanListenTest, RefusesAddressesThatAreNotHere) {
  EXPECT_FALSE(CanListen("203.0.113.9", 0).ok());
  EXPECT_FALSE(CanListen("fe80::1%nosuchdevice", 0).ok());
  EXPECT_FALSE(CanListen("localhost", 0).ok());
}

}  // namespace
}  // namespace distbench
