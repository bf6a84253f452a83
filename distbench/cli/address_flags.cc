#include "distbench/cli/address_flags.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"
#include "distbench/net/port_range.h"

namespace distbench {

void AddressFlags::DeclareControlPlane(FlagSet* flags) {
  flags->Add("port", &control_plane_.port, "PORT", "Listen on this port; 0: any free one.");
  flags->Add("control_plane_device", &control_plane_.device, "DEVICE",
             "Bind the control plane to the address of this network device.");
  flags->Add("control_bind", &control_plane_.bind, "HOST",
             "Bind the control plane to this address; without it, or a device, to all.");
  flags->Add("control_advertise", &control_plane_.advertise, "HOST[:PORT]",
             "What others are told to connect to, where that is not the address that is bound: in "
             "a container, or behind a NAT.");
  flags->Add("prefer_ipv4", &prefer_ipv4_, "",
             "Take the IPv4 address where a device or a name has both.");
}

void AddressFlags::DeclareDataPlane(FlagSet* flags) {
  flags->Add("default_data_plane_device", &data_plane_.device, "DEVICE",
             "Bind the data plane, which carries the tests' RPCs, to the address of this device.");
  flags->Add("data_bind", &data_plane_.bind, "HOST", "Bind the data plane to this address.");
  flags->Add("data_advertise", &data_plane_.advertise, "HOST",
             "The data plane's address that others are told.");
  flags->Add("data_ports", &data_ports_, "FIRST-LAST",
             "Take the data plane's ports from this range, both ends included.");
}

absl::Status AddressFlags::Check() {
  absl::StatusOr<PortRange> ports = ParsePortRange(data_ports_);
  if (!ports.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--data_ports=", data_ports_, ": ", ports.status().message()));
  }
  data_plane_.ports = *ports;
  control_plane_.prefer_ipv4 = prefer_ipv4_;
  data_plane_.prefer_ipv4 = prefer_ipv4_;
  return absl::OkStatus();
}

ControlPlaneOptions AddressFlags::ControlPlane(const std::string& sequencer_host) const {
  ControlPlaneOptions options = control_plane_;
  options.sequencer_host = sequencer_host;
  return options;
}

DataPlaneOptions AddressFlags::DataPlane(const std::string& sequencer_host) const {
  DataPlaneOptions options = data_plane_;
  options.sequencer_host = sequencer_host;
  return options;
}

}  // namespace distbench
