// Reads a range of ports as people write it. Stateless.
#ifndef DISTBENCH_NET_PORT_RANGE_H_
#define DISTBENCH_NET_PORT_RANGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {

// Parses "10000-10100" (both included) or "10000". Empty: {0, 0}, whatever the kernel gives.
absl::StatusOr<PortRange> ParsePortRange(absl::string_view text);

// "10000-10100", "10000", or "any".
std::string FormatPortRange(const PortRange& ports);

// Ports in the range, 0 for whatever the kernel gives.
int PortCount(const PortRange& ports);

}  // namespace distbench

#endif  // DISTBENCH_NET_PORT_RANGE_H_
