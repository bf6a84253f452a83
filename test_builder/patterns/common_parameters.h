// Parameters that several patterns have, declared alike. Pure.
#ifndef TEST_BUILDER_PATTERNS_COMMON_PARAMETERS_H_
#define TEST_BUILDER_PATTERNS_COMMON_PARAMETERS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "test_builder/parameter.h"
#include "test_builder/parameter_values.h"

namespace distbench {

// So many instances of a service, `least` at the least.
Parameter InstanceCount(const std::string& name, int64_t default_count, const std::string& help,
                        int64_t least = 1);

// The size of a message; one is never smaller than its header.
Parameter MessageSize(const std::string& name, int64_t default_bytes, const std::string& help);

Parameter IntegerParameter(const std::string& name, int64_t default_value, const std::string& unit,
                           const std::string& help, int64_t least, int64_t greatest);

// `parallel_queries`: how many a client keeps in flight.
Parameter ParallelQueries(int64_t default_count);

// `rpc_interval_us`: time between the starts of an open loop.
Parameter RpcInterval(int64_t default_us);

// `qps`: starts per second of an open loop, and the time between them that it means.
Parameter QueriesPerSecond(int64_t default_qps);
absl::StatusOr<int64_t> IntervalNs(const ParameterValues& values);

// The interval of a rate in whole nanoseconds; an error if that is more than 1 % off. `rate` is the
// parameter that asks for it.
absl::StatusOr<int64_t> WholeInterval(double interval_ns, const std::string& rate,
                                      const ParameterValues& values);

// `synchronization_mode`: when the starts of an open loop are.
Parameter SynchronizationMode(const std::string& default_mode);

// `warmup_seconds`, in front of the time that is measured.
Parameter WarmupSeconds(int64_t default_seconds = 3);
absl::Duration WarmupOf(const ParameterValues& values);

// `warmup_iterations` of a closed loop, which lie within that time.
Parameter WarmupIterations(int64_t default_count);
// The same, none unless they are given, in place of `warmup_seconds`.
Parameter WarmupIterationsInstead();
int64_t WarmupIterationsOf(const ParameterValues& values);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_COMMON_PARAMETERS_H_
