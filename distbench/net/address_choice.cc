#include "distbench/net/address_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/device_address.h"
#include "distbench/net/grpc_target.h"
#include "distbench/net/socket_address.h"

namespace distbench {
namespace {

// A choice for one plane: the options of both, and what the network says, looked up once.
struct Machine {
  const HostNetwork& network;
  std::vector<DeviceAddress> addresses;
  bool prefer_ipv4;
};

absl::StatusOr<std::string> ResolveOne(const Machine& machine, absl::string_view host) {
  ASSIGN_OR_RETURN(const std::vector<std::string> ips, machine.network.Resolve(host));
  return PreferFamily(ips, machine.prefer_ipv4);
}

// The address that the user wants to bind; empty if the user said nothing about it.
absl::StatusOr<std::string> RequestedBindAddress(const Machine& machine, const std::string& bind,
                                                 const std::string& device) {
  if (bind.empty() && device.empty()) return std::string();
  if (bind.empty()) return AddressOfDevice(machine.addresses, device, machine.prefer_ipv4);
  ASSIGN_OR_RETURN(std::string ip, ResolveOne(machine, bind));
  if (IsWildcard(ip)) return ip;
  for (const DeviceAddress& address : machine.addresses) {
    if (address.ip == ip && (device.empty() || address.device == device)) return ip;
  }
  // Any address of 127.0.0.0/8 can be bound, although the device shows only one.
  if (IsLoopback(ip) && device.empty()) return ip;
  return absl::NotFoundError(absl::StrCat("address ", ip, " to bind is not one of ",
                                          device.empty() ? "this machine" : "device " + device,
                                          "; there are: ", DescribeAddresses(machine.addresses)));
}

// The address of this machine that the sequencer sees; empty if nothing is known of it yet.
std::string SourceTowardsSequencer(const Machine& machine, const std::string& sequencer_host) {
  if (sequencer_host.empty()) return "";
  const absl::StatusOr<std::string> sequencer = ResolveOne(machine, sequencer_host);
  // A name that does not resolve now may do so later: registration will tell.
  if (!sequencer.ok()) return "";
  return machine.network.SourceTowards(*sequencer).value_or("");
}

// Whether others may be expected to reach this machine by its own name.
bool HostNameIsUsable(const Machine& machine, const std::string& host_name) {
  const absl::StatusOr<std::vector<std::string>> ips = machine.network.Resolve(host_name);
  if (!ips.ok()) return false;
  return std::any_of(ips->begin(), ips->end(), [&](const std::string& ip) {
    return !IsLoopback(ip) && IsOwnAddress(machine.addresses, ip);
  });
}

absl::Status SetAdvertised(const std::string& advertise, ControlPlaneAddress* address) {
  if (FamilyOf(advertise) || advertise.find(':') == std::string::npos) {
    address->advertise_host = advertise;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(HostPort host_port, ParseHostPort(advertise));
  address->advertise_host = std::move(host_port.host);
  address->advertise_port = host_port.port;
  return absl::OkStatus();
}

std::string ControlHostByDefault(const Machine& machine, const ControlPlaneAddress& address,
                                 const std::string& towards_sequencer) {
  const bool bound_to_one = !IsWildcard(address.bind_ip);
  if (bound_to_one || IsLoopback(towards_sequencer)) return address.numeric_ip;
  if (HostNameIsUsable(machine, address.host_name)) return address.host_name;
  return address.numeric_ip;
}

}  // namespace

std::string ControlPlaneAddress::ServiceAddress(uint16_t bound_port) const {
  return GrpcTarget({advertise_host, advertise_port.value_or(bound_port)});
}

absl::StatusOr<ControlPlaneAddress> ChooseControlPlaneAddress(const ControlPlaneOptions& options,
                                                              const HostNetwork& network) {
  ASSIGN_OR_RETURN(std::vector<DeviceAddress> addresses, network.Addresses());
  const Machine machine{network, std::move(addresses), options.prefer_ipv4};
  ControlPlaneAddress chosen;
  chosen.port = options.port;
  chosen.host_name = network.HostName();
  ASSIGN_OR_RETURN(chosen.bind_ip, RequestedBindAddress(machine, options.bind, options.device));
  if (chosen.bind_ip.empty()) {
    chosen.bind_ip = WildcardAddress(machine.addresses, options.prefer_ipv4);
  }
  const std::string towards_sequencer = SourceTowardsSequencer(machine, options.sequencer_host);
  if (!IsWildcard(chosen.bind_ip)) {
    chosen.numeric_ip = chosen.bind_ip;
  } else if (!towards_sequencer.empty()) {
    chosen.numeric_ip = towards_sequencer;
  } else {
    ASSIGN_OR_RETURN(chosen.numeric_ip, DefaultAddress(machine.addresses, options.prefer_ipv4));
  }
  if (options.advertise.empty()) {
    chosen.advertise_host = ControlHostByDefault(machine, chosen, towards_sequencer);
  } else {
    RETURN_IF_ERROR(SetAdvertised(options.advertise, &chosen));
  }
  return chosen;
}

absl::StatusOr<DataPlaneAddress> ChooseDataPlaneAddress(const DataPlaneOptions& options,
                                                        const HostNetwork& network) {
  ASSIGN_OR_RETURN(std::vector<DeviceAddress> addresses, network.Addresses());
  const Machine machine{network, std::move(addresses), options.prefer_ipv4};
  DataPlaneAddress chosen{.ports = options.ports};
  ASSIGN_OR_RETURN(chosen.bind_ip, RequestedBindAddress(machine, options.bind, options.device));
  if (!options.advertise.empty()) {
    ASSIGN_OR_RETURN(chosen.advertise_ip, ResolveOne(machine, options.advertise));
    if (IsWildcard(chosen.advertise_ip)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "address ", chosen.advertise_ip, " cannot be advertised: nobody can connect to it"));
    }
    if (chosen.bind_ip.empty()) {
      const bool wants_ipv4 = FamilyOf(chosen.advertise_ip) == IpFamily::kV4;
      chosen.bind_ip = WildcardAddress(machine.addresses, wants_ipv4);
    }
    return chosen;
  }
  if (!chosen.bind_ip.empty() && !IsWildcard(chosen.bind_ip)) {
    chosen.advertise_ip = chosen.bind_ip;
    return chosen;
  }
  chosen.advertise_ip = SourceTowardsSequencer(machine, options.sequencer_host);
  if (chosen.advertise_ip.empty() || IsLoopback(chosen.advertise_ip)) {
    const bool prefer_ipv4 = options.prefer_ipv4 || FamilyOf(chosen.bind_ip) == IpFamily::kV4;
    ASSIGN_OR_RETURN(chosen.advertise_ip, DefaultAddress(machine.addresses, prefer_ipv4));
  }
  if (chosen.bind_ip.empty()) chosen.bind_ip = chosen.advertise_ip;
  return chosen;
}

}  // namespace distbench
