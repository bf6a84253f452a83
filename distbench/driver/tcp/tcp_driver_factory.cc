#include "distbench/driver/tcp/tcp_driver_factory.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/tcp/loop_set.h"
#include "distbench/driver/tcp/tcp_driver.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/driver_address.h"
#include "distbench/net/host_network.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

TcpDriverFactory::TcpDriverFactory(const TcpDriverFactoryOptions& options)
    : options_(options), loops_(std::make_unique<LoopSets>(options.placement)) {}

TcpDriverFactory::~TcpDriverFactory() = default;

absl::Status TcpDriverFactory::Check(const ProtocolDriverOptions& options) const {
  return ParseTcpSettings(options).status();
}

absl::Status TcpDriverFactory::CheckChannel(const ProtocolDriverOptions&,
                                            const MultiServerChannel& channel) const {
  return ParseChannelSettings(channel).status();
}

int64_t TcpDriverFactory::PortsPerEngine(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<TcpSettings> settings = ParseTcpSettings(options);
  return settings.ok() && settings->transport == TcpTransport::kUnix ? 0 : 1;
}

int64_t TcpDriverFactory::DescriptorsPerPeer(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<TcpSettings> settings = ParseTcpSettings(options);
  if (!settings.ok()) return 1;
  const size_t loops = settings->client.threads.value_or(options_.shards);
  return static_cast<int64_t>(settings->connections.value_or(loops));
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> TcpDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  ASSIGN_OR_RETURN(const TcpSettings settings, ParseTcpSettings(options));
  ASSIGN_OR_RETURN(
      DriverAddress address,
      ChooseDriverAddress({.device = options.netdev_name(), .ip_version = options.ip_version()},
                          *environment.address, SystemNetwork()));
  const auto loops_of = [&](const TcpSideSettings& side) {
    return &loops_->Get({.threads = side.threads.value_or(options_.shards), .poll = side.poll});
  };
  return std::make_unique<TcpDriver>(TcpDriverOptions{.settings = settings,
                                                      .client_loops = loops_of(settings.client),
                                                      .server_loops = loops_of(settings.server),
                                                      .next_unix_name = &next_unix_name_,
                                                      .address = std::move(address),
                                                      .shards = options_.shards,
                                                      .environment = environment});
}

}  // namespace distbench
