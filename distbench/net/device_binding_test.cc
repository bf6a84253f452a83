#include "distbench/net/device_binding.h"

#include <net/if.h>
#include <sys/socket.h>

#include <string>

#include "distbench/net/socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

const DeviceBinding kLoopback = {.device = "lo", .ips = {"::1", "127.0.0.1"}};

std::string DeviceOf(const OwnedSocket& socket) {
  char name[IFNAMSIZ] = {};
  socklen_t length = sizeof(name);
  EXPECT_EQ(getsockopt(socket.fd(), SOL_SOCKET, SO_BINDTODEVICE, name, &length), 0);
  return name;
}

std::string AddressOf(const OwnedSocket& socket) {
  sockaddr_storage name = {};
  socklen_t length = sizeof(name);
  EXPECT_EQ(getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&name), &length), 0);
  return NumericAddress(reinterpret_cast<const sockaddr&>(name)).value_or("");
}

TEST(BindToDeviceTest, TheSocketIsTheDevicesOrHasItsAddress) {
  const OwnedSocket socket(::socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(BindToDevice(socket.fd(), kLoopback, IpFamily::kV4), absl::OkStatus());
  if (DeviceOf(socket).empty()) {
    EXPECT_EQ(AddressOf(socket), "127.0.0.1");
  } else {
    EXPECT_EQ(DeviceOf(socket), "lo");
  }
}

TEST(BindToDeviceTest, ADeviceThatIsNotThereIsNamed) {
  const OwnedSocket socket(::socket(AF_INET, SOCK_STREAM, 0));
  const absl::Status bound =
      BindToDevice(socket.fd(), {.device = "nosuchdev7", .ips = {}}, IpFamily::kV4);
  EXPECT_FALSE(bound.ok());
  EXPECT_THAT(std::string(bound.message()), HasSubstr("'nosuchdev7'"));
}

TEST(BindToAddressOfTest, TakesTheAddressOfThePeersFamily) {
  const OwnedSocket v4(::socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(BindToAddressOf(v4.fd(), kLoopback, IpFamily::kV4), absl::OkStatus());
  EXPECT_EQ(AddressOf(v4), "127.0.0.1");
  const OwnedSocket v6(::socket(AF_INET6, SOCK_STREAM, 0));
  ASSERT_EQ(BindToAddressOf(v6.fd(), kLoopback, IpFamily::kV6), absl::OkStatus());
  EXPECT_EQ(AddressOf(v6), "::1");
}

TEST(BindToAddressOfTest, ASocketOfBothFamiliesGetsTheMappedForm) {
  const OwnedSocket both(::socket(AF_INET6, SOCK_STREAM, 0));
  ASSERT_EQ(BindToAddressOf(both.fd(), kLoopback, IpFamily::kV4), absl::OkStatus());
  EXPECT_EQ(AddressOf(both), "::ffff:127.0.0.1");
}

TEST(BindToAddressOfTest, AFamilyThatTheDeviceHasNotIsAnError) {
  const OwnedSocket socket(::socket(AF_INET6, SOCK_STREAM, 0));
  const absl::Status bound =
      BindToAddressOf(socket.fd(), {.device = "eth0", .ips = {"10.0.0.7"}}, IpFamily::kV6);
  EXPECT_THAT(std::string(bound.message()), HasSubstr("'eth0' has no IPv6 address"));
}

}  // namespace
}  // namespace distbench
