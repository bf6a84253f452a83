// RpcCounterDriverFactory: makes drivers of the protocol "composable_rpc_counter".
#ifndef DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_

#include <cstddef>

#include "distbench/driver/inner_driver.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

struct RpcCounterFactoryOptions {
  const DriverRegistry* registry = nullptr;  // of the driver inside; outlives the factory
  size_t shards = 1;                         // of the process
};

class RpcCounterDriverFactory final : public DriverFactory {
 public:
  explicit RpcCounterDriverFactory(const RpcCounterFactoryOptions& options)
      : inner_(options.registry, "composable_rpc_counter", "driver_under_test"),
        shards_(options.shards) {}

  std::string InnerDriverSetting() const override { return inner_.setting(); }
  absl::Status Check(const ProtocolDriverOptions& options) const override {
    return inner_.Check(options);
  }
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override {
    return inner_.CheckChannel(options, channel);
  }
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override {
    return inner_.DescriptorsPerPeer(options);
  }
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  const InnerDriver inner_;
  const size_t shards_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_
