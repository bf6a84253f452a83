// The protocols that this program speaks.
#ifndef DISTBENCH_CLI_DRIVERS_H_
#define DISTBENCH_CLI_DRIVERS_H_

#include <cstddef>
#include <memory>

namespace distbench {

class DriverRegistry;

// Event loops that a process has: one for each CPU that it may use.
size_t ShardCount();

// All drivers, with `shard_count` event loops each.
std::unique_ptr<DriverRegistry> MakeDriverRegistry(size_t shard_count);

}  // namespace distbench

#endif  // DISTBENCH_CLI_DRIVERS_H_
