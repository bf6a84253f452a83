// The one method of the data plane; see protos/services.proto.
#ifndef DISTBENCH_DRIVER_GRPC_GENERIC_RPC_METHOD_H_
#define DISTBENCH_DRIVER_GRPC_GENERIC_RPC_METHOD_H_

namespace distbench {

inline constexpr char kGenericRpcMethod[] = "/distbench.Traffic/GenericRpc";

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GENERIC_RPC_METHOD_H_
