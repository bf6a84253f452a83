#include "distbench/net/address_choice.h"

#include "distbench/net/fake_host_network.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A host of a cluster with two networks, whose name is in the name service.
FakeHostNetwork ClusterHost() {
  FakeHostNetwork network;
  network.addresses = {{"lo", "127.0.0.1"},     {"eth0", "10.0.0.7"}, {"eth1", "192.168.5.7"},
                       {"lo", "::1"},           {"eth0", "fd00::7"},  {"eth0", "fe80::7%eth0"},
                       {"eth1", "fe80::8%eth1"}};
  network.names = {{"worker", {"10.0.0.7", "fd00::7"}},
                   {"head", {"192.168.5.1"}},
                   {"localhost", {"::1", "127.0.0.1"}}};
  network.sources = {{"192.168.5.1", "192.168.5.7"}, {"127.0.0.1", "127.0.0.1"}, {"::1", "::1"}};
  return network;
}

// A host that maps its own name to a loopback address, as Debian does.
FakeHostNetwork PlainDebianHost() {
  FakeHostNetwork network;
  network.addresses = {{"lo", "127.0.0.1"}, {"eth0", "10.0.0.7"}};
  network.names = {{"worker", {"127.0.1.1"}}, {"head", {"10.0.0.1"}}, {"localhost", {"127.0.0.1"}}};
  network.sources = {{"10.0.0.1", "10.0.0.7"}, {"127.0.0.1", "127.0.0.1"}};
  return network;
}

FakeHostNetwork HostWithoutNetwork() {
  FakeHostNetwork network;
  network.addresses = {{"lo", "127.0.0.1"}};
  network.names = {{"localhost", {"127.0.0.1"}}};
  network.sources = {{"127.0.0.1", "127.0.0.1"}};
  return network;
}

ControlPlaneAddress Control(const ControlPlaneOptions& options, const HostNetwork& network) {
  auto chosen = ChooseControlPlaneAddress(options, network);
  EXPECT_TRUE(chosen.ok()) << chosen.status();
  return chosen.value_or(ControlPlaneAddress{});
}

DataPlaneAddress Data(const DataPlaneOptions& options, const HostNetwork& network) {
  auto chosen = ChooseDataPlaneAddress(options, network);
  EXPECT_TRUE(chosen.ok()) << chosen.status();
  return chosen.value_or(DataPlaneAddress{});
}

// --- Control plane

TEST(ControlPlaneAddressTest, BindsAllDevicesAndAdvertisesTheHostNameOnACluster) {
  const auto address = Control({.sequencer_host = "head"}, ClusterHost());
  EXPECT_EQ(address.bind_ip, "::");
  EXPECT_EQ(address.port, 10000);
  EXPECT_EQ(address.host_name, "worker");
  EXPECT_EQ(address.numeric_ip, "192.168.5.7");
  EXPECT_EQ(address.ServiceAddress(10000), "dns:///worker:10000");
}

TEST(ControlPlaneAddressTest, AdvertisesTheSourceAddressIfTheHostNameMeansLoopback) {
  const auto address = Control({.sequencer_host = "head"}, PlainDebianHost());
  EXPECT_EQ(address.ServiceAddress(10000), "ipv4:///10.0.0.7:10000");
  FakeHostNetwork network = PlainDebianHost();
  network.names["worker"] = {"127.0.0.1"};
  EXPECT_EQ(Control({.sequencer_host = "head"}, network).ServiceAddress(1), "ipv4:///10.0.0.7:1");
}

TEST(ControlPlaneAddressTest, AdvertisesTheSourceAddressIfTheHostNameIsUnknown) {
  FakeHostNetwork network = ClusterHost();
  network.names.erase("worker");
  EXPECT_EQ(Control({.sequencer_host = "head"}, network).ServiceAddress(1),
            "ipv4:///192.168.5.7:1");
}

TEST(ControlPlaneAddressTest, AdvertisesTheSourceAddressIfTheHostNameMeansAnotherMachine) {
  FakeHostNetwork network = ClusterHost();
  network.names["worker"] = {"203.0.113.9"};
  EXPECT_EQ(Control({.sequencer_host = "head"}, network).ServiceAddress(1),
            "ipv4:///192.168.5.7:1");
}

TEST(ControlPlaneAddressTest, AdvertisesLoopbackIfTheSequencerIsReachedOverIt) {
  EXPECT_EQ(Control({.sequencer_host = "localhost"}, ClusterHost()).ServiceAddress(1),
            "ipv6:///[::1]:1");
  EXPECT_EQ(Control({.prefer_ipv4 = true, .sequencer_host = "localhost"}, ClusterHost())
                .ServiceAddress(1),
            "ipv4:///127.0.0.1:1");
}

TEST(ControlPlaneAddressTest, DoesNotNeedASequencerThatCanBeResolved) {
  EXPECT_EQ(Control({.sequencer_host = "not-yet-there"}, PlainDebianHost()).ServiceAddress(1),
            "ipv4:///10.0.0.7:1");
  EXPECT_EQ(Control({}, HostWithoutNetwork()).ServiceAddress(1), "ipv4:///127.0.0.1:1");
}

TEST(ControlPlaneAddressTest, BindsAndAdvertisesTheAddressOfADevice) {
  const auto address = Control({.device = "eth1", .sequencer_host = "head"}, ClusterHost());
  EXPECT_EQ(address.bind_ip, "192.168.5.7");
  EXPECT_EQ(address.ServiceAddress(7), "ipv4:///192.168.5.7:7");
  EXPECT_EQ(Control({.device = "eth0"}, ClusterHost()).bind_ip, "fd00::7");
  EXPECT_EQ(Control({.device = "eth0", .prefer_ipv4 = true}, ClusterHost()).bind_ip, "10.0.0.7");
}

TEST(ControlPlaneAddressTest, TakesALinkLocalAddressWithItsZoneWhereThereIsNoOther) {
  FakeHostNetwork network = ClusterHost();
  network.addresses = {{"lo", "::1"}, {"eth1", "fe80::8%eth1"}};
  EXPECT_EQ(Control({.device = "eth1"}, network).ServiceAddress(7), "ipv6:///[fe80::8%25eth1]:7");
}

TEST(ControlPlaneAddressTest, AdvertisesWhatTheUserSaysWithOrWithoutPort) {
  const FakeHostNetwork network = ClusterHost();
  const auto service_address = [&](const char* advertise) {
    return Control({.advertise = advertise, .sequencer_host = "head"}, network).ServiceAddress(7);
  };
  EXPECT_EQ(service_address("gateway"), "dns:///gateway:7");
  EXPECT_EQ(service_address("gateway:31000"), "dns:///gateway:31000");
  EXPECT_EQ(service_address("203.0.113.9"), "ipv4:///203.0.113.9:7");
  EXPECT_EQ(service_address("2001:db8::9"), "ipv6:///[2001:db8::9]:7");
  EXPECT_EQ(service_address("[2001:db8::9]:31000"), "ipv6:///[2001:db8::9]:31000");
}

TEST(ControlPlaneAddressTest, NamesTheDevicesThatExist) {
  const auto chosen = ChooseControlPlaneAddress({.device = "eth9"}, ClusterHost());
  ASSERT_FALSE(chosen.ok());
  EXPECT_THAT(std::string(chosen.status().message()),
              AllOf(HasSubstr("'eth9'"), HasSubstr("lo (127.0.0.1, ::1)"),
                    HasSubstr("eth1 (192.168.5.7, fe80::8%eth1)")));
}

TEST(ControlPlaneAddressTest, RefusesToBindAnAddressOfAnotherMachineOrDevice) {
  const auto foreign = ChooseControlPlaneAddress({.bind = "203.0.113.9"}, ClusterHost());
  EXPECT_THAT(std::string(foreign.status().message()),
              AllOf(HasSubstr("203.0.113.9"), HasSubstr("this machine"), HasSubstr("10.0.0.7")));
  const auto other =
      ChooseControlPlaneAddress({.device = "eth1", .bind = "10.0.0.7"}, ClusterHost());
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("device eth1"));
}

// --- Data plane

TEST(DataPlaneAddressTest, BindsAndAdvertisesTheAddressTowardsTheSequencer) {
  const auto address = Data({.sequencer_host = "head"}, ClusterHost());
  EXPECT_EQ(address.bind_ip, "192.168.5.7");
  EXPECT_EQ(address.advertise_ip, "192.168.5.7");
}

TEST(DataPlaneAddressTest, AvoidsLoopbackBecauseOtherNodesMayBeElsewhere) {
  EXPECT_EQ(Data({.sequencer_host = "localhost"}, ClusterHost()).advertise_ip, "fd00::7");
  EXPECT_EQ(Data({.prefer_ipv4 = true, .sequencer_host = "localhost"}, ClusterHost()).advertise_ip,
            "10.0.0.7");
  EXPECT_EQ(Data({.sequencer_host = "localhost"}, HostWithoutNetwork()).advertise_ip, "127.0.0.1");
}

TEST(DataPlaneAddressTest, KeepsThePortRange) {
  const auto address = Data({.ports = {10000, 10100}}, ClusterHost());
  EXPECT_EQ(address.ports.first, 10000);
  EXPECT_EQ(address.ports.last, 10100);
}

TEST(DataPlaneAddressTest, TakesTheAddressOfTheDevice) {
  const auto address = Data({.device = "eth1", .sequencer_host = "localhost"}, ClusterHost());
  EXPECT_EQ(address.bind_ip, "192.168.5.7");
  EXPECT_EQ(address.advertise_ip, "192.168.5.7");
}

TEST(DataPlaneAddressTest, BindsAllDevicesOfTheFamilyBehindAnAdvertisedAddress) {
  const auto v4 = Data({.advertise = "203.0.113.9"}, ClusterHost());
  EXPECT_EQ(v4.bind_ip, "0.0.0.0");
  EXPECT_EQ(v4.advertise_ip, "203.0.113.9");
  EXPECT_EQ(Data({.advertise = "2001:db8::9"}, ClusterHost()).bind_ip, "::");
}

TEST(DataPlaneAddressTest, AdvertisesNumericAddressesOnly) {
  EXPECT_EQ(Data({.advertise = "head"}, ClusterHost()).advertise_ip, "192.168.5.1");
  EXPECT_FALSE(ChooseDataPlaneAddress({.advertise = "nowhere"}, ClusterHost()).ok());
  EXPECT_FALSE(ChooseDataPlaneAddress({.advertise = "::"}, ClusterHost()).ok());
}

TEST(DataPlaneAddressTest, AdvertisesOneAddressOfThoseThatAWildcardBinds) {
  const auto address = Data({.bind = "0.0.0.0", .sequencer_host = "localhost"}, ClusterHost());
  EXPECT_EQ(address.bind_ip, "0.0.0.0");
  EXPECT_EQ(address.advertise_ip, "10.0.0.7");
}

}  // namespace
}  // namespace distbench
