// How many nodes a test needs, so that people know how many to start. Pure.
#ifndef TEST_BUILDER_NODES_NEEDED_H_
#define TEST_BUILDER_NODES_NEEDED_H_

#include <cstdint>

#include "protos/traffic_config.pb.h"

namespace distbench {

// One for each instance; those of a bundle are together on one. Requires: the test compiles.
int64_t NodesNeeded(const DistributedSystemDescription& test);

}  // namespace distbench

#endif  // TEST_BUILDER_NODES_NEEDED_H_
