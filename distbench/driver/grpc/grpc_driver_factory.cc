#include "distbench/driver/grpc/grpc_driver_factory.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include "distbench/base/status_macros.h"
#include "distbench/driver/grpc/completion_threads.h"
#include "distbench/driver/grpc/grpc_driver.h"
#include "distbench/driver/grpc/grpc_settings.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {
namespace {

struct ChannelCredentialsRelease {
  void operator()(grpc_channel_credentials* c) const { grpc_channel_credentials_release(c); }
};

struct ServerCredentialsRelease {
  void operator()(grpc_server_credentials* c) const { grpc_server_credentials_release(c); }
};

}  // namespace

class GrpcDriverFactory::Library {
 public:
  Library() { grpc_init(); }
  ~Library() { grpc_shutdown(); }
};

struct GrpcDriverFactory::Shared {
  explicit Shared(const GrpcDriverFactoryOptions& options)
      : channel_credentials(options.channel_credentials != nullptr
                                ? options.channel_credentials
                                : grpc_insecure_credentials_create()),
        server_credentials(options.server_credentials != nullptr
                               ? options.server_credentials
                               : grpc_insecure_server_credentials_create()),
        threads(options.shards) {}

  Library library;  // first, for all below
  std::unique_ptr<grpc_channel_credentials, ChannelCredentialsRelease> channel_credentials;
  std::unique_ptr<grpc_server_credentials, ServerCredentialsRelease> server_credentials;
  CompletionThreads threads;
};

GrpcDriverFactory::GrpcDriverFactory(const GrpcDriverFactoryOptions& options)
    : shared_(std::make_unique<Shared>(options)) {}

GrpcDriverFactory::~GrpcDriverFactory() = default;

absl::Status GrpcDriverFactory::Check(const ProtocolDriverOptions& options) const {
  return CheckGrpcSettings(options);
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> GrpcDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  RETURN_IF_ERROR(CheckGrpcSettings(options));
  RETURN_IF_ERROR(CheckIpVersion(options, environment.address->bind_ip));
  return std::make_unique<GrpcDriver>(
      GrpcDriverOptions{.threads = &shared_->threads,
                        .channel_credentials = shared_->channel_credentials.get(),
                        .server_credentials = shared_->server_credentials.get(),
                        .address = environment.address,
                        .peer_count = environment.peer_count});
}

}  // namespace distbench
