// Picks addresses out of those that the devices of a machine have. Pure functions.
#ifndef DISTBENCH_NET_DEVICE_ADDRESS_H_
#define DISTBENCH_NET_DEVICE_ADDRESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/host_network.h"

namespace distbench {

// The best address of one device: of the preferred family, then of the other one, then a link-local
// one. The error names the devices that exist.
absl::StatusOr<std::string> AddressOfDevice(const std::vector<DeviceAddress>& addresses,
                                            absl::string_view device, bool prefer_ipv4);

// The best address of the machine, by the same order within each class: the first device that is
// no loopback and whose address is not link-local, else loopback.
absl::StatusOr<std::string> DefaultAddress(const std::vector<DeviceAddress>& addresses,
                                           bool prefer_ipv4);

// The first of `ips` of the preferred family, else the first. Requires: not empty.
std::string PreferFamily(const std::vector<std::string>& ips, bool prefer_ipv4);

// All devices of one family: "0.0.0.0" if IPv4 is preferred or the machine has no IPv6, else "::",
// which takes IPv4 too.
std::string WildcardAddress(const std::vector<DeviceAddress>& addresses, bool prefer_ipv4);

// Whether a device of the machine has this address, whatever way it is written.
bool IsOwnAddress(const std::vector<DeviceAddress>& addresses, absl::string_view ip);

// "eth0 (10.0.0.7, fd00::7), lo (127.0.0.1)", for errors.
std::string DescribeAddresses(const std::vector<DeviceAddress>& addresses);

}  // namespace distbench

#endif  // DISTBENCH_NET_DEVICE_ADDRESS_H_
