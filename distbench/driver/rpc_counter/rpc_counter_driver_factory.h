// RpcCounterDriverFactory: makes drivers of the protocol "composable_rpc_counter".
#ifndef DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_

#include "distbench/driver/holder_factory.h"

namespace distbench {

class RpcCounterDriverFactory final : public HolderFactory {
 public:
  explicit RpcCounterDriverFactory(const HolderFactoryOptions& options)
      : HolderFactory(options, "composable_rpc_counter", "driver_under_test") {}

  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_FACTORY_H_
