// ServiceTimes: how long a server takes for one request after the other, drawn from a distribution
// that is known in full. A copy draws the same times again.
#ifndef DISTBENCH_TRUTH_SERVICE_TIMES_H_
#define DISTBENCH_TRUTH_SERVICE_TIMES_H_

#include <cstdint>
#include <functional>

namespace distbench {

using ServiceTimes = std::function<int64_t()>;  // in ns

ServiceTimes ConstantTimes(int64_t time_ns);

// From `least_ns` to `greatest_ns`, both included.
ServiceTimes UniformTimes(int64_t least_ns, int64_t greatest_ns, uint64_t seed);

struct BimodalOptions {
  int64_t fast_ns = 0;
  int64_t slow_ns = 0;
  double slow_share = 0;  // of all requests
};
ServiceTimes BimodalTimes(const BimodalOptions& options, uint64_t seed);

ServiceTimes ExponentialTimes(double mean_ns, uint64_t seed);

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_SERVICE_TIMES_H_
