#include "distbench/truth/service_times.h"

#include "distbench/sampling/counter_random.h"

namespace distbench {

ServiceTimes ConstantTimes(int64_t time_ns) {
  return [time_ns] { return time_ns; };
}

ServiceTimes UniformTimes(int64_t least_ns, int64_t greatest_ns, uint64_t seed) {
  const uint64_t values = static_cast<uint64_t>(greatest_ns - least_ns) + 1;
  return [least_ns, values, random = CounterRandom({seed})]() mutable {
    return least_ns + static_cast<int64_t>(random.Below(values));
  };
}

ServiceTimes BimodalTimes(const BimodalOptions& options, uint64_t seed) {
  return [options, random = CounterRandom({seed})]() mutable {
    return random.Unit() < options.slow_share ? options.slow_ns : options.fast_ns;
  };
}

ServiceTimes ExponentialTimes(double mean_ns, uint64_t seed) {
  return [mean_ns, random = CounterRandom({seed})]() mutable {
    return static_cast<int64_t>(mean_ns * random.Exponential() + 0.5);
  };
}

}  // namespace distbench
