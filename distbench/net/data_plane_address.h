// What a process binds and what it tells others, kept apart: behind a NAT, in a container or on a
// host with several devices the two differ.
#ifndef DISTBENCH_NET_DATA_PLANE_ADDRESS_H_
#define DISTBENCH_NET_DATA_PLANE_ADDRESS_H_

#include <cstdint>
#include <string>

namespace distbench {

// Ports to take, both ends included. {0, 0}: whatever the kernel gives.
struct PortRange {
  uint16_t first = 0;
  uint16_t last = 0;
};

// Addresses are numeric, without brackets, with a zone where link-local ("fe80::1%eth0").
struct DataPlaneAddress {
  std::string bind_ip;       // where servers listen; "::" or "0.0.0.0" for all devices
  std::string advertise_ip;  // what peers are told
  PortRange ports;
};

}  // namespace distbench

#endif  // DISTBENCH_NET_DATA_PLANE_ADDRESS_H_
