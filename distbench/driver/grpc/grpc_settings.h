// What the grpc driver reads of a ProtocolDriverOptions; docs/drivers.md describes each setting.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/driver/grpc/channel_arguments.h"

namespace distbench {

class ProtocolDriverOptions;

// Who completes calls: the threads of our completion queues, or gRPC's own.
enum class GrpcClientType { kPolling, kCallback };

// Where requests are received and handled: on an event loop that the process's clients use too and
// there to the end; on such a loop and then in a thread pool; or on an event loop that serves
// servers only and then in a thread pool.
enum class GrpcServerType { kInline, kHandoff, kPolling };

// The thread pool of a server that is not inline; kNull: none, the receiving thread handles.
enum class GrpcPoolType { kSimple, kElastic, kNull };

struct GrpcLoopSettings {
  std::optional<size_t> queues;  // none: the default of the type
  size_t threads_per_queue = 1;
};

struct GrpcClientSettings {
  GrpcClientType type = GrpcClientType::kPolling;
  size_t channels = 1;  // to each peer
  GrpcLoopSettings loops;
  std::vector<ChannelArgument> arguments;
};

struct GrpcServerSettings {
  GrpcServerType type = GrpcServerType::kInline;
  GrpcPoolType pool = GrpcPoolType::kElastic;
  size_t pool_size = 0;  // 0: as many threads as the machine has cores
  GrpcLoopSettings loops;
  std::vector<ChannelArgument> arguments;
};

struct GrpcSettings {
  GrpcClientSettings client;
  GrpcServerSettings server;
};

// The protocols that this driver is: by either name the same bytes on the wire.
enum class GrpcProtocol {
  kGrpc,           // "grpc"
  kAsyncCallback,  // "grpc_async_callback": client_type is callback, server_type handoff
};

// The error tells all that is wrong: field, value, what is accepted. What gRPC could do but this
// driver does not is Unimplemented, all else InvalidArgument.
absl::StatusOr<GrpcSettings> ParseGrpcSettings(const ProtocolDriverOptions& options,
                                               GrpcProtocol protocol = GrpcProtocol::kGrpc);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_
