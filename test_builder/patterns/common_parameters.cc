#include "test_builder/patterns/common_parameters.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

constexpr int64_t kMaxInstances = 1'000'000;
constexpr int64_t kMaxMessageBytes = INT32_MAX;
constexpr int64_t kMaxParallel = 1'000'000;
constexpr int64_t kMaxIntervalUs = 3'600'000'000;  // an hour
constexpr int64_t kMaxWarmupIterations = 1'000'000'000;
constexpr double kMaxWarmupSeconds = 3600;
constexpr double kMinQueriesPerSecond = 0.001;
constexpr double kMaxQueriesPerSecond = 1e9;
constexpr char kQueriesPerSecond[] = "qps";
constexpr char kWarmupSeconds[] = "warmup_seconds";

}  // namespace

Parameter IntegerParameter(const std::string& name, int64_t default_value, const std::string& unit,
                           const std::string& help, int64_t least, int64_t greatest) {
  return {.name = name,
          .default_text = absl::StrCat(default_value),
          .unit = unit,
          .help = help,
          .kind = Parameter::Kind::kInteger,
          .least = static_cast<double>(least),
          .greatest = static_cast<double>(greatest)};
}

Parameter InstanceCount(const std::string& name, int64_t default_count, const std::string& help,
                        int64_t least) {
  return IntegerParameter(name, default_count, "instances", help, least, kMaxInstances);
}

Parameter MessageSize(const std::string& name, int64_t default_bytes, const std::string& help) {
  return IntegerParameter(name, default_bytes, "bytes", help, 0, kMaxMessageBytes);
}

Parameter ParallelQueries(int64_t default_count) {
  return IntegerParameter("parallel_queries", default_count, "RPCs",
                          "How many each client keeps in flight.", 1, kMaxParallel);
}

Parameter RpcInterval(int64_t default_us) {
  return IntegerParameter("rpc_interval_us", default_us, "us",
                          "Time between two starts of an instance.", 1, kMaxIntervalUs);
}

Parameter QueriesPerSecond(int64_t default_qps) {
  return {.name = kQueriesPerSecond,
          .default_text = absl::StrCat(default_qps),
          .unit = "1/s",
          .help = "Queries that the load generator starts.",
          .kind = Parameter::Kind::kNumber,
          .least = kMinQueriesPerSecond,
          .greatest = kMaxQueriesPerSecond};
}

int64_t IntervalNs(const ParameterValues& values) {
  return std::max<int64_t>(1, std::llround(1e9 / values.Number(kQueriesPerSecond)));
}

Parameter SynchronizationMode(const std::string& default_mode) {
  return {.name = "synchronization_mode",
          .default_text = default_mode,
          .unit = "",
          .help = "When these starts are: open_loop_interval_distribution of the config.",
          .choices = {"constant", "exponential", "sync_burst", "sync_burst_spread"}};
}

Parameter WarmupSeconds() {
  return {.name = kWarmupSeconds,
          .default_text = "3",
          .unit = "s",
          .help = "Traffic before what is measured.",
          .kind = Parameter::Kind::kNumber,
          .least = 0,
          .greatest = kMaxWarmupSeconds};
}

Parameter WarmupIterations(int64_t default_count) {
  return IntegerParameter("warmup_iterations", default_count, "iterations",
                          "How many come before what is measured.", 0, kMaxWarmupIterations);
}

absl::Duration WarmupOf(const ParameterValues& values) {
  return absl::Seconds(values.Number(kWarmupSeconds));
}

}  // namespace distbench
