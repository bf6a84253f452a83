// GrpcDriverFactory: makes grpc drivers and, with its alias, owns what those of a process share.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_

#include <cstddef>
#include <memory>

#include "distbench/base/cpu_list.h"
#include "distbench/driver/protocol_driver.h"

struct grpc_channel_credentials;
struct grpc_server_credentials;

namespace distbench {

class GrpcResources;
enum class GrpcProtocol;

struct GrpcDriverFactoryOptions {
  // Of the process, by which calls name them. Each has an event loop, unless settings say other.
  size_t shards = 1;
  LoopPlacement placement;
  // The factory takes both over. Null: no encryption, no authentication.
  grpc_channel_credentials* channel_credentials = nullptr;
  grpc_server_credentials* server_credentials = nullptr;
};

class GrpcDriverFactory final : public DriverFactory {
 public:
  // Of the protocol "grpc".
  explicit GrpcDriverFactory(const GrpcDriverFactoryOptions& options);

  // Joins the threads, unless an alias lives. Requires: the drivers have gone.
  ~GrpcDriverFactory() override;

  // A factory of the protocol "grpc_async_callback", which is grpc with callback clients and
  // handoff servers. It shares this one's threads, and may outlive it.
  std::unique_ptr<DriverFactory> NewAsyncCallbackAlias() const;

  absl::Status Check(const ProtocolDriverOptions& options) const override;
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override;
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  GrpcDriverFactory(GrpcProtocol protocol, size_t shards, std::shared_ptr<GrpcResources> resources);

  const GrpcProtocol protocol_;
  const size_t shards_;
  const std::shared_ptr<GrpcResources> resources_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_FACTORY_H_
