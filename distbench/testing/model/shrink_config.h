// ShrinkConfig: makes a config that fails as small as it can while it still fails, so that a person
// sees what matters.
#ifndef DISTBENCH_TESTING_MODEL_SHRINK_CONFIG_H_
#define DISTBENCH_TESTING_MODEL_SHRINK_CONFIG_H_

#include <functional>

#include "protos/traffic_config.pb.h"

namespace distbench::model {

// Whatever is named goes with every mention of it, then single fields and elements go, numbers
// become smaller; nothing of that alone could be done to the result. `fails` is asked of configs
// that may be wrong in any way, and must say the same each time. Stops after `most_tries` of them.
DistributedSystemDescription ShrinkConfig(
    DistributedSystemDescription config,
    const std::function<bool(const DistributedSystemDescription&)>& fails, int most_tries = 3000);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_SHRINK_CONFIG_H_
