// Finds a port for a gRPC server.
#ifndef DISTBENCH_DRIVER_GRPC_LISTENING_PORT_H_
#define DISTBENCH_DRIVER_GRPC_LISTENING_PORT_H_

#include <grpc/grpc.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {

// Makes `server`, which is not started, listen on the first free port of the address's range, and
// returns that port. The error names the address and the range, and why its last port could not be
// had.
absl::StatusOr<uint16_t> ListenOn(grpc_server* server, grpc_server_credentials* credentials,
                                  const DataPlaneAddress& address);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_LISTENING_PORT_H_
