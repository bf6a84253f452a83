// Which address to bind and which one to tell others, from what the user gave and what the machine
// has. Reads the network, changes nothing. Stateless.
//
// What the user gives wins, from the most to the least specific: an address to bind, a device, the
// preferred family. With nothing given:
//
//   control plane   binds all devices. Advertises, in this order
//                     - the loopback address, if the sequencer is reached over loopback: both are
//                       on this machine then;
//                     - the host name, if it resolves to an address of a device of this machine
//                       (many a machine maps its name to a loopback address, and many a container
//                       has a name that nobody else knows);
//                     - the numeric address that packets to the sequencer carry as their source.
//   data plane      binds and advertises the address that packets to the sequencer carry, unless
//                   that is a loopback address: other nodes may be elsewhere, so then the first
//                   address of a device that is no loopback, and a loopback address only where
//                   there is nothing else.
//
// An address that is advertised explicitly need not be one of this machine: in a container or
// behind a NAT it is not, and servers then bind all devices.
#ifndef DISTBENCH_NET_ADDRESS_CHOICE_H_
#define DISTBENCH_NET_ADDRESS_CHOICE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/net/host_network.h"

namespace distbench {

struct ControlPlaneOptions {
  std::string device;          // empty: any
  std::string bind;            // numeric address or host name; empty: as above
  std::string advertise;       // HOST, HOST:PORT or [V6]:PORT; empty: as above
  uint16_t port = 10000;       // 0: whatever the kernel gives
  bool prefer_ipv4 = false;    // where a machine or a name has both
  std::string sequencer_host;  // whom the daemon will register with; empty: nobody
};

struct ControlPlaneAddress {
  std::string bind_ip;
  uint16_t port = 0;                       // 0: whatever the kernel gives
  std::string advertise_host;              // name or numeric address
  std::optional<uint16_t> advertise_port;  // none: the one that the server got
  std::string numeric_ip;                  // of this machine, for display
  std::string host_name;

  // The gRPC target to tell others, once a server listens on `bound_port`.
  std::string ServiceAddress(uint16_t bound_port) const;
};

absl::StatusOr<ControlPlaneAddress> ChooseControlPlaneAddress(const ControlPlaneOptions& options,
                                                              const HostNetwork& network);

struct DataPlaneOptions {
  std::string device;     // empty: any
  std::string bind;       // numeric address or host name; empty: as above
  std::string advertise;  // numeric address or host name; empty: as above
  PortRange ports;
  bool prefer_ipv4 = false;
  std::string sequencer_host;  // empty: none
};

absl::StatusOr<DataPlaneAddress> ChooseDataPlaneAddress(const DataPlaneOptions& options,
                                                        const HostNetwork& network);

}  // namespace distbench

#endif  // DISTBENCH_NET_ADDRESS_CHOICE_H_
