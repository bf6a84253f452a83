// OurNode: a node manager of this program with the grpc driver, on loopback.
#ifndef DISTBENCH_INTEROP_OUR_NODE_H_
#define DISTBENCH_INTEROP_OUR_NODE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_manager.h"

namespace distbench {

class OurNode {
 public:
  // Registers with the sequencer on this port of the loopback device, which it waits for.
  explicit OurNode(uint16_t sequencer_port);

  NodeManager& manager() { return *manager_; }

 private:
  const std::unique_ptr<DriverRegistry> drivers_;
  NodeEnvironment environment_;
  std::unique_ptr<NodeManager> manager_;
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_OUR_NODE_H_
