// DoubleBarrelDriverFactory: makes drivers of the protocol "double_barrel".
#ifndef DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_

#include <cstddef>

#include "distbench/driver/inner_driver.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

struct DoubleBarrelFactoryOptions {
  const DriverRegistry* registry = nullptr;  // of the drivers inside; outlives the factory
  size_t shards = 1;                         // of the process
};

class DoubleBarrelDriverFactory final : public DriverFactory {
 public:
  explicit DoubleBarrelDriverFactory(const DoubleBarrelFactoryOptions& options)
      : inner_(options.registry, "double_barrel", "next_protocol_driver"),
        shards_(options.shards) {}

  std::string InnerDriverSetting() const override { return inner_.setting(); }
  absl::Status Check(const ProtocolDriverOptions& options) const override {
    return inner_.Check(options);
  }
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override {
    return inner_.CheckChannel(options, channel);
  }
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  const InnerDriver inner_;
  const size_t shards_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_FACTORY_H_
