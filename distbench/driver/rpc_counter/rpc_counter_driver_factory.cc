#include "distbench/driver/rpc_counter/rpc_counter_driver_factory.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/driver/rpc_counter/rpc_counter_driver.h"

namespace distbench {

absl::StatusOr<std::unique_ptr<ProtocolDriver>> RpcCounterDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  RETURN_IF_ERROR(Check(options));
  ASSIGN_OR_RETURN(auto inner, CreateInner(options, environment));
  return std::make_unique<RpcCounterDriver>(std::move(inner), shards());
}

}  // namespace distbench
