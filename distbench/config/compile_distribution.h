// One DistributionConfig, checked and turned into what draws from it.
#ifndef DISTBENCH_CONFIG_COMPILE_DISTRIBUTION_H_
#define DISTBENCH_CONFIG_COMPILE_DISTRIBUTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace distbench {

class Distribution;
class DistributionConfig;
class Reporter;

// What the values of a distribution stand for.
struct DistributionUse {
  // Each a set of `field_names` that will do, in the order of the compiled dimensions; whatever
  // order a config has them in.
  std::vector<std::vector<std::string>> field_names;
  int64_t max_value = 0;  // the least is 0
  std::string unit;       // "bytes"
};

// Null after errors, which are fields below `path`.
std::shared_ptr<const Distribution> CompileDistribution(const DistributionConfig& config,
                                                        const DistributionUse& use,
                                                        const std::string& path, Reporter& report);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_COMPILE_DISTRIBUTION_H_
