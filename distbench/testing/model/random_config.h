// RandomConfig: valid configs of all kinds, drawn from a seed, for tests that hold whatever the
// config is. Small enough to run in milliseconds.
#ifndef DISTBENCH_TESTING_MODEL_RANDOM_CONFIG_H_
#define DISTBENCH_TESTING_MODEL_RANDOM_CONFIG_H_

#include <cstdint>

#include "protos/traffic_config.pb.h"

namespace distbench::model {

struct RandomConfigOptions {
  uint64_t seed = 0;
  bool ends_early = false;  // some action ends the traffic
};

// Of the driver "fake". Ends by itself; sends an RPC at least, and never very many; no list reaches
// itself; requests do not wait for each other in a circle.
DistributedSystemDescription RandomConfig(const RandomConfigOptions& options);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_RANDOM_CONFIG_H_
