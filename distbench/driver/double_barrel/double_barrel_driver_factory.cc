#include "distbench/driver/double_barrel/double_barrel_driver_factory.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/driver/double_barrel/double_barrel_driver.h"

namespace distbench {

int64_t DoubleBarrelDriverFactory::ListenersPerEngine(const ProtocolDriverOptions& options) const {
  return kBarrels * HolderFactory::ListenersPerEngine(options);
}

int64_t DoubleBarrelDriverFactory::PortsPerEngine(const ProtocolDriverOptions& options) const {
  return kBarrels * HolderFactory::PortsPerEngine(options);
}

int64_t DoubleBarrelDriverFactory::DescriptorsPerPeer(const ProtocolDriverOptions& options) const {
  return kBarrels * HolderFactory::DescriptorsPerPeer(options);
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> DoubleBarrelDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  RETURN_IF_ERROR(Check(options));
  DoubleBarrelOptions driver = {.barrels = {},
                                .shards = shards(),
                                .peer_count = environment.peer_count,
                                .channel_count = environment.channel_count};
  for (auto& barrel : driver.barrels) {
    ASSIGN_OR_RETURN(barrel, CreateInner(options, environment));
  }
  return std::make_unique<DoubleBarrelDriver>(std::move(driver));
}

}  // namespace distbench
