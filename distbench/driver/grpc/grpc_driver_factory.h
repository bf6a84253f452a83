// GrpcDriverFactory: makes grpc drivers and owns what those of a process share: the event loops.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_

#include <cstddef>
#include <memory>

#include "distbench/driver/protocol_driver.h"

struct grpc_channel_credentials;
struct grpc_server_credentials;

namespace distbench {

struct GrpcDriverFactoryOptions {
  size_t shards = 1;  // event loops, each a thread; calls name them by ShardIndex
  // The factory takes both over. Null: no encryption, no authentication.
  grpc_channel_credentials* channel_credentials = nullptr;
  grpc_server_credentials* server_credentials = nullptr;
};

class GrpcDriverFactory final : public DriverFactory {
 public:
  explicit GrpcDriverFactory(const GrpcDriverFactoryOptions& options);

  // Joins the event loops. Requires: the drivers have gone.
  ~GrpcDriverFactory() override;

  absl::Status Check(const ProtocolDriverOptions& options) const override;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  class Library;  // gRPC, initialized
  struct Shared;
  const std::unique_ptr<Shared> shared_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_
