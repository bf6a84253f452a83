// What a protocol driver binds, from what its options ask for and what its node and machine have.
// Stateless.
#ifndef DISTBENCH_NET_DRIVER_ADDRESS_H_
#define DISTBENCH_NET_DRIVER_ADDRESS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/net/device_binding.h"
#include "distbench/net/host_network.h"

namespace distbench {

struct DriverAddressOptions {
  std::string device;  // netdev_name; empty: that of the node's data plane
  int ip_version = 0;  // 4, 6, or 0 for either
};

struct DriverAddress {
  DataPlaneAddress server;
  std::optional<DeviceBinding> clients;  // none: as the routing table says
};

// With neither, the address of the node's data plane. A device gives its own address, of the
// version asked for, else of the node's if it has one. A version alone gives the address of that
// version of the device that the node's address belongs to. The error names the devices that the
// machine has.
absl::StatusOr<DriverAddress> ChooseDriverAddress(const DriverAddressOptions& options,
                                                  const DataPlaneAddress& node,
                                                  const HostNetwork& network);

}  // namespace distbench

#endif  // DISTBENCH_NET_DRIVER_ADDRESS_H_
