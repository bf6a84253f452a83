#include "distbench/cli/drivers.h"

#include <utility>

#include "distbench/cli/cpu_flags.h"
#include "distbench/driver/double_barrel/double_barrel_driver_factory.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"
#include "distbench/driver/rpc_counter/rpc_counter_driver_factory.h"
#include "distbench/driver/tcp/tcp_driver_factory.h"

namespace distbench {

std::unique_ptr<DriverRegistry> MakeDriverRegistry(const EventLoops& loops) {
  auto registry = std::make_unique<DriverRegistry>();
  auto grpc = std::make_unique<GrpcDriverFactory>(
      GrpcDriverFactoryOptions{.shards = loops.shards, .placement = loops.placement});
  registry->Register("grpc_async_callback", grpc->NewAsyncCallbackAlias());
  registry->Register("grpc", std::move(grpc));
  registry->Register("tcp", std::make_unique<TcpDriverFactory>(TcpDriverFactoryOptions{
                                .shards = loops.shards, .placement = loops.placement}));
  registry->Register("double_barrel",
                     std::make_unique<DoubleBarrelDriverFactory>(
                         HolderFactoryOptions{.registry = registry.get(), .shards = loops.shards}));
  registry->Register("composable_rpc_counter",
                     std::make_unique<RpcCounterDriverFactory>(
                         HolderFactoryOptions{.registry = registry.get(), .shards = loops.shards}));
  return registry;
}

}  // namespace distbench
