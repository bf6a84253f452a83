#include "distbench/driver/grpc/listening_port.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/port_range.h"
#include "distbench/net/socket.h"
#include "distbench/net/socket_address.h"

namespace distbench {
namespace {

absl::StatusOr<uint16_t> ListenOnPort(grpc_server* server, grpc_server_credentials* credentials,
                                      const std::string& ip, uint16_t port) {
  // Asked first, because gRPC tells no reason and logs what is no error here.
  RETURN_IF_ERROR(CanListen(ip, port));
  // gRPC unescapes the address as it does in a URI.
  const std::string address = FormatHostPort(absl::StrReplaceAll(ip, {{"%", "%25"}}), port);
  const int bound_port = grpc_server_add_http2_port(server, address.c_str(), credentials);
  if (bound_port > 0) return static_cast<uint16_t>(bound_port);
  return absl::UnavailableError(
      absl::StrCat("cannot listen on ", FormatHostPort(ip, port), ": gRPC refuses it"));
}

}  // namespace

absl::StatusOr<uint16_t> ListenOn(grpc_server* server, grpc_server_credentials* credentials,
                                  const DataPlaneAddress& address) {
  absl::Status error;
  for (int port = address.ports.first; port <= address.ports.last; ++port) {
    auto bound_port =
        ListenOnPort(server, credentials, address.bind_ip, static_cast<uint16_t>(port));
    if (bound_port.ok()) return bound_port;
    error = bound_port.status();
  }
  return absl::Status(
      error.code(),
      absl::StrCat("the grpc driver finds no port to listen on (address ", address.bind_ip,
                   ", ports ", FormatPortRange(address.ports), "): ", error.message()));
}

}  // namespace distbench
