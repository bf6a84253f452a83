#include "distbench/cli/drivers.h"

#include <algorithm>
#include <thread>

#include "distbench/driver/driver_registry.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"

namespace distbench {

size_t ShardCount() { return std::max(1u, std::thread::hardware_concurrency()); }

std::unique_ptr<DriverRegistry> MakeDriverRegistry(size_t shard_count) {
  auto registry = std::make_unique<DriverRegistry>();
  registry->Register(
      "grpc", std::make_unique<GrpcDriverFactory>(GrpcDriverFactoryOptions{.shards = shard_count}));
  return registry;
}

}  // namespace distbench
