// gRPC targets: how is written down where a daemon, or several servers, can be reached.
//
//   dns:///worker-3:10000    ipv4:///10.0.0.7:10000    ipv6:///[fe80::1%25eth0]:10000
//   ipv4:10.0.0.7:4711,10.0.0.8:4711
//
// Inside a target the % of a zone is escaped, as in any URI. Stateless.
#ifndef DISTBENCH_NET_GRPC_TARGET_H_
#define DISTBENCH_NET_GRPC_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/socket_address.h"

namespace distbench {

// The target of a host and port: `ipv4:///` or `ipv6:///` for a numeric address, else `dns:///`.
std::string GrpcTarget(const HostPort& address);

// A target that stands for all these addresses, of which there is at least one: gRPC balances among
// them. The error names the first one that is no numeric address of the first one's family.
absl::StatusOr<std::string> GrpcTargetOfAll(const std::vector<HostPort>& addresses);

// The host and port within a target of these three schemes (with one or no slashes too).
absl::StatusOr<HostPort> ParseGrpcTarget(absl::string_view target);

// What a person wrote, "HOST:PORT" or a target of these schemes.
absl::StatusOr<HostPort> ParseHostPortOrTarget(absl::string_view text);

}  // namespace distbench

#endif  // DISTBENCH_NET_GRPC_TARGET_H_
