#include "distbench/net/driver_address.h"

#include "distbench/net/fake_host_network.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChooseDriverAddressTest : public testing::Test {
 protected:
  ChooseDriverAddressTest() {
    network_.addresses = {{"lo", "127.0.0.1"}, {"eth0", "10.0.0.7"},     {"eth1", "192.168.5.7"},
                          {"lo", "::1"},       {"eth0", "fe80::7%eth0"}, {"eth0", "fd00::7"}};
  }

  absl::StatusOr<DriverAddress> Choose(const DriverAddressOptions& options) const {
    return ChooseDriverAddress(options, node_, network_);
  }
  std::string ErrorOf(const DriverAddressOptions& options) const {
    return std::string(Choose(options).status().message());
  }

  FakeHostNetwork network_;
  DataPlaneAddress node_ = {
      .bind_ip = "10.0.0.7", .advertise_ip = "10.0.0.7", .ports = {.first = 7, .last = 9}};
};

TEST_F(ChooseDriverAddressTest, IsTheNodesWhereNothingElseIsAskedFor) {
  for (const int ip_version : {0, 4}) {
    const auto chosen = Choose({.ip_version = ip_version});
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    EXPECT_EQ(chosen->server.bind_ip, "10.0.0.7");
    EXPECT_EQ(chosen->server.ports.last, 9);
    EXPECT_FALSE(chosen->clients.has_value());
  }
}

TEST_F(ChooseDriverAddressTest, AnotherVersionIsTakenFromTheSameDevice) {
  const auto chosen = Choose({.ip_version = 6});
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->server.bind_ip, "fd00::7");
  EXPECT_EQ(chosen->server.advertise_ip, "fd00::7");
  EXPECT_EQ(chosen->server.ports.first, 7);
  EXPECT_FALSE(chosen->clients.has_value());
}

TEST_F(ChooseDriverAddressTest, ADeviceBindsBothSides) {
  const auto chosen = Choose({.device = "lo"});
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->server.bind_ip, "127.0.0.1") << "the node's version is preferred";
  EXPECT_EQ(chosen->server.ports.first, 7);
  ASSERT_TRUE(chosen->clients.has_value());
  EXPECT_EQ(chosen->clients->device, "lo");
  EXPECT_THAT(chosen->clients->ips, ElementsAre("127.0.0.1", "::1"));
  EXPECT_EQ(Choose({.device = "lo", .ip_version = 6})->server.bind_ip, "::1");
}

TEST_F(ChooseDriverAddressTest, AVersionThatTheNodeHasNotIsTakenFromADevice) {
  node_ = {.bind_ip = "fd00::7", .advertise_ip = "fd00::7", .ports = {}};
  EXPECT_EQ(Choose({.device = "eth1"})->server.bind_ip, "192.168.5.7");
}

TEST_F(ChooseDriverAddressTest, ErrorsNameTheDevicesThatThereAre) {
  const std::string devices =
      "lo (127.0.0.1, ::1), eth0 (10.0.0.7, fe80::7%eth0, fd00::7), eth1 (192.168.5.7)";
  EXPECT_THAT(ErrorOf({.device = "eth7"}), HasSubstr("network device 'eth7' is not up"));
  EXPECT_THAT(ErrorOf({.device = "eth7"}), HasSubstr(devices));
  EXPECT_THAT(ErrorOf({.device = "eth1", .ip_version = 6}),
              HasSubstr("network device 'eth1' has no such address"));
  EXPECT_THAT(ErrorOf({.device = "eth1", .ip_version = 6}), HasSubstr(devices));
  node_ = {.bind_ip = "0.0.0.0", .advertise_ip = "203.0.113.9", .ports = {}};
  EXPECT_TRUE(Choose({.ip_version = 4}).ok());
  EXPECT_THAT(ErrorOf({.ip_version = 6}), HasSubstr("203.0.113.9, which is of no device here"));
  EXPECT_THAT(ErrorOf({.ip_version = 6}), HasSubstr(devices));
}

}  // namespace
}  // namespace distbench
