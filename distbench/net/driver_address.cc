#include "distbench/net/driver_address.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/device_address.h"
#include "distbench/net/socket_address.h"

namespace distbench {
namespace {

bool IsOfVersion(const std::string& ip, int ip_version) {
  return ip_version == 0 || FamilyOf(ip) == (ip_version == 4 ? IpFamily::kV4 : IpFamily::kV6);
}

// The device that has the address; empty if none of the machine has.
std::string DeviceOf(const std::string& ip, const std::vector<DeviceAddress>& addresses) {
  for (const DeviceAddress& address : addresses) {
    if (address.ip == ip) return address.device;
  }
  return "";
}

std::vector<std::string> AddressesOf(const std::string& device,
                                     const std::vector<DeviceAddress>& addresses) {
  std::vector<std::string> ips;
  for (const DeviceAddress& address : addresses) {
    if (address.device == device) ips.push_back(address.ip);
  }
  return ips;
}

}  // namespace

absl::StatusOr<DriverAddress> ChooseDriverAddress(const DriverAddressOptions& options,
                                                  const DataPlaneAddress& node,
                                                  const HostNetwork& network) {
  const bool suits = IsOfVersion(node.bind_ip, options.ip_version);
  if (options.device.empty() && suits) return DriverAddress{.server = node, .clients = {}};
  ASSIGN_OR_RETURN(const std::vector<DeviceAddress> addresses, network.Addresses());
  const std::string device =
      options.device.empty() ? DeviceOf(node.advertise_ip, addresses) : options.device;
  if (device.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("ip_version is ", options.ip_version, ", but the node's data plane binds to ",
                     node.bind_ip, " and is told to others as ", node.advertise_ip,
                     ", which is of no device here; name one in netdev_name, or leave ip_version "
                     "out; there are: ",
                     DescribeAddresses(addresses)));
  }
  const bool wants_ipv4 = options.ip_version == 0 ? FamilyOf(node.advertise_ip) == IpFamily::kV4
                                                  : options.ip_version == 4;
  ASSIGN_OR_RETURN(const std::string ip, AddressOfDevice(addresses, device, wants_ipv4));
  if (!IsOfVersion(ip, options.ip_version)) {
    return absl::FailedPreconditionError(
        absl::StrCat("ip_version is ", options.ip_version, ", but network device '", device,
                     "' has no such address; give it one, name another device in netdev_name, or "
                     "leave ip_version out; there are: ",
                     DescribeAddresses(addresses)));
  }
  DriverAddress chosen = {.server = {.bind_ip = ip, .advertise_ip = ip, .ports = node.ports},
                          .clients = {}};
  if (!options.device.empty()) {
    chosen.clients = DeviceBinding{.device = device, .ips = AddressesOf(device, addresses)};
  }
  return chosen;
}

}  // namespace distbench
