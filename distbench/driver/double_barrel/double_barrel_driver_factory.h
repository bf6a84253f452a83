// DoubleBarrelDriverFactory: makes drivers of the protocol "double_barrel".
#ifndef DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_

#include "distbench/driver/holder_factory.h"

namespace distbench {

class DoubleBarrelDriverFactory final : public HolderFactory {
 public:
  explicit DoubleBarrelDriverFactory(const HolderFactoryOptions& options)
      : HolderFactory(options, "double_barrel", "next_protocol_driver") {}

  // Those of both barrels.
  int64_t ListenersPerEngine(const ProtocolDriverOptions& options) const override;
  int64_t PortsPerEngine(const ProtocolDriverOptions& options) const override;
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_
