// Server lists that wait, over the grpc driver: a caller, a server with an engine, and a leaf that
// keeps every request, all in this process and over loopback.
#ifndef BENCHMARKS_SUSPENDED_OVER_GRPC_H_
#define BENCHMARKS_SUSPENDED_OVER_GRPC_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/statusor.h"

namespace distbench {

struct SuspendedOverGrpcOptions {
  // Services client, root, leaf, one instance each; RPC 0 goes to root, whose list asks leaf.
  std::string config_text;
  size_t lists = 0;
  std::function<void()> look;  // called while all lists wait
};

// Bytes of the process for each list that waits, gRPC's on all three sides included.
absl::StatusOr<double> BytesPerListOverGrpc(const SuspendedOverGrpcOptions& options);

}  // namespace distbench

#endif  // BENCHMARKS_SUSPENDED_OVER_GRPC_H_
