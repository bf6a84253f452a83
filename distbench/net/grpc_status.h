// Statuses across gRPC: the codes of gRPC and of abseil have the same numbers. Stateless.
#ifndef DISTBENCH_NET_GRPC_STATUS_H_
#define DISTBENCH_NET_GRPC_STATUS_H_

#include "absl/status/status.h"

namespace grpc {
class Status;
}

namespace distbench {

grpc::Status ToGrpcStatus(const absl::Status& status);

// Codes that do not exist become UNKNOWN.
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace distbench

#endif  // DISTBENCH_NET_GRPC_STATUS_H_
