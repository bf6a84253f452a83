// HostNetwork: what a machine says of its own place in the network. An interface, so that the
// choice of addresses can be tested on machines that one does not have.
//
// Thread-safe. Resolving a name may block on name servers.
#ifndef DISTBENCH_NET_HOST_NETWORK_H_
#define DISTBENCH_NET_HOST_NETWORK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/socket_address.h"

namespace distbench {

// One address of a device that is up.
struct DeviceAddress {
  std::string device;  // "eth0"
  std::string ip;      // numeric, with zone where link-local
};

class HostNetwork {
 public:
  virtual ~HostNetwork() = default;

  // In the kernel's order of the devices.
  virtual absl::StatusOr<std::vector<DeviceAddress>> Addresses() const = 0;

  virtual std::string HostName() const = 0;

  // Numeric addresses of a host name, not empty, without duplicates, in the resolver's order. A
  // numeric address resolves to itself.
  virtual absl::StatusOr<std::vector<std::string>> Resolve(absl::string_view host) const = 0;

  // The address that packets from here to `ip` carry as their source. Sends nothing.
  virtual absl::StatusOr<std::string> SourceTowards(absl::string_view ip) const = 0;
};

class SystemNetwork final : public HostNetwork {
 public:
  absl::StatusOr<std::vector<DeviceAddress>> Addresses() const override;
  std::string HostName() const override;
  absl::StatusOr<std::vector<std::string>> Resolve(absl::string_view host) const override;
  absl::StatusOr<std::string> SourceTowards(absl::string_view ip) const override;
};

}  // namespace distbench

#endif  // DISTBENCH_NET_HOST_NETWORK_H_
