// The floors: for each a server and a client, a process each. They do what the program under test
// does and nothing besides; see docs/performance.md.
#ifndef BENCHMARKS_FLOORS_ROLES_H_
#define BENCHMARKS_FLOORS_ROLES_H_

#include "absl/status/status.h"
#include "benchmarks/floors/floor_options.h"

namespace distbench {

// gRPC's core interface: ready-made byte buffers, a completion queue for each thread.
absl::Status RunGrpcBareServer(const FloorOptions& options);
absl::Status RunGrpcBareClient(const FloorOptions& options);

// gRPC as people use it: generated stub, callbacks, a message object for each RPC.
absl::Status RunGrpcUsualServer(const FloorOptions& options);
absl::Status RunGrpcUsualClient(const FloorOptions& options);

// Length-prefixed frames over TCP: epoll, everything that is there read at once and written at
// once.
absl::Status RunTcpBareServer(const FloorOptions& options);
absl::Status RunTcpBareClient(const FloorOptions& options);

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_ROLES_H_
