#include "distbench/driver/grpc/grpc_driver_factory.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/grpc/device_mutator.h"
#include "distbench/driver/grpc/grpc_driver.h"
#include "distbench/driver/grpc/grpc_resources.h"
#include "distbench/driver/grpc/grpc_settings.h"
#include "distbench/net/driver_address.h"
#include "distbench/net/host_network.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

const CompletionThreads& ClientLoops(const GrpcClientSettings& settings, size_t shards,
                                     GrpcResources& resources) {
  return resources.Loops({.queues = settings.loops.queues.value_or(shards),
                          .threads_per_queue = settings.loops.threads_per_queue});
}

const CompletionThreads& ServerLoops(const GrpcServerSettings& settings, size_t shards,
                                     GrpcResources& resources) {
  const bool is_polling = settings.type == GrpcServerType::kPolling;
  return resources.Loops({.queues = settings.loops.queues.value_or(is_polling ? 1 : shards),
                          .threads_per_queue = settings.loops.threads_per_queue,
                          .for_servers_only = is_polling});
}

// Null if requests are handled where they are received.
ThreadPool* PoolOf(const GrpcServerSettings& settings, GrpcResources& resources) {
  if (settings.type == GrpcServerType::kInline || settings.pool == GrpcPoolType::kNull) {
    return nullptr;
  }
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return &resources.Pool({.growth = settings.pool == GrpcPoolType::kElastic ? PoolGrowth::kElastic
                                                                            : PoolGrowth::kFixed,
                          .size = settings.pool_size > 0 ? settings.pool_size : cores});
}

}  // namespace

GrpcDriverFactory::GrpcDriverFactory(const GrpcDriverFactoryOptions& options)
    : GrpcDriverFactory(GrpcProtocol::kGrpc, options.shards,
                        std::make_shared<GrpcResources>(GrpcResourcesOptions{
                            .placement = options.placement,
                            .channel_credentials = options.channel_credentials,
                            .server_credentials = options.server_credentials})) {}

GrpcDriverFactory::GrpcDriverFactory(GrpcProtocol protocol, size_t shards,
                                     std::shared_ptr<GrpcResources> resources)
    : protocol_(protocol), shards_(shards), resources_(std::move(resources)) {}

GrpcDriverFactory::~GrpcDriverFactory() = default;

std::unique_ptr<DriverFactory> GrpcDriverFactory::NewAsyncCallbackAlias() const {
  return std::unique_ptr<DriverFactory>(
      new GrpcDriverFactory(GrpcProtocol::kAsyncCallback, shards_, resources_));
}

absl::Status GrpcDriverFactory::Check(const ProtocolDriverOptions& options) const {
  return ParseGrpcSettings(options, protocol_).status();
}

absl::Status GrpcDriverFactory::CheckChannel(const ProtocolDriverOptions&,
                                             const MultiServerChannel& channel) const {
  return ParseChannelSettings(channel).status();
}

int64_t GrpcDriverFactory::DescriptorsPerPeer(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<GrpcSettings> settings = ParseGrpcSettings(options, protocol_);
  return settings.ok() ? static_cast<int64_t>(settings->client.channels) : 1;
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> GrpcDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  ASSIGN_OR_RETURN(const GrpcSettings settings, ParseGrpcSettings(options, protocol_));
  ASSIGN_OR_RETURN(
      DriverAddress address,
      ChooseDriverAddress({.device = options.netdev_name(), .ip_version = options.ip_version()},
                          *environment.address, SystemNetwork()));
  if (address.clients && !DeviceMutator::IsSupported()) {
    return absl::UnimplementedError(
        absl::StrCat("netdev_name is \"", address.clients->device, "\", but gRPC's core library ",
                     grpc_version_string(),
                     " is not known to bind sockets to devices; leave it out, or use the driver "
                     "tcp"));
  }
  if (settings.client.type == GrpcClientType::kCallback) resources_->StartCallbackThreads();
  return std::make_unique<GrpcDriver>(
      GrpcDriverOptions{.settings = settings,
                        .shards = shards_,
                        .client_threads = &ClientLoops(settings.client, shards_, *resources_),
                        .server_threads = &ServerLoops(settings.server, shards_, *resources_),
                        .pool = PoolOf(settings.server, *resources_),
                        .channel_credentials = resources_->channel_credentials(),
                        .server_credentials = resources_->server_credentials(),
                        .address = std::move(address),
                        .peer_count = environment.peer_count,
                        .channel_count = environment.channel_count});
}

}  // namespace distbench
