// DeviceBinding: a network device that sockets shall use, whatever the routing table says.
#ifndef DISTBENCH_NET_DEVICE_BINDING_H_
#define DISTBENCH_NET_DEVICE_BINDING_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "distbench/net/socket_address.h"

namespace distbench {

struct DeviceBinding {
  std::string device;            // "eth1"
  std::vector<std::string> ips;  // its addresses; numeric
};

// Binds a socket that is about to connect to a peer of `family`. All that it sends and receives
// goes over the device then (SO_BINDTODEVICE). A process that may not ask for that, by its
// kernel's rules, gets the next best: the device's address as the source, which says where answers
// come back, and leaves the way out to the routing table. The error names the device.
absl::Status BindToDevice(int fd, const DeviceBinding& binding, IpFamily family);

// The second half of it: to the device's first address of `family`, any port. A socket of both
// families gets an IPv4 address in its IPv6 form.
absl::Status BindToAddressOf(int fd, const DeviceBinding& binding, IpFamily family);

}  // namespace distbench

#endif  // DISTBENCH_NET_DEVICE_BINDING_H_
