// The protocols that this program speaks.
#ifndef DISTBENCH_CLI_DRIVERS_H_
#define DISTBENCH_CLI_DRIVERS_H_

#include <memory>

namespace distbench {

class DriverRegistry;
struct EventLoops;

// All drivers, each with these event loops.
std::unique_ptr<DriverRegistry> MakeDriverRegistry(const EventLoops& loops);

}  // namespace distbench

#endif  // DISTBENCH_CLI_DRIVERS_H_
