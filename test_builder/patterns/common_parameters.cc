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
constexpr double kMaxRoundingError = 0.01;
constexpr char kWarmupSeconds[] = "warmup_seconds";
constexpr char kWarmupIterations[] = "warmup_iterations";

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

absl::StatusOr<int64_t> IntervalNs(const ParameterValues& values) {
  return WholeInterval(1e9 / values.Number(kQueriesPerSecond), kQueriesPerSecond, values);
}

absl::StatusOr<int64_t> WholeInterval(double interval_ns, const std::string& rate,
                                      const ParameterValues& values) {
  const int64_t whole_ns = std::max<int64_t>(1, std::llround(interval_ns));
  const double error = std::abs(static_cast<double>(whole_ns) - interval_ns) / interval_ns;
  if (error <= kMaxRoundingError) return whole_ns;
  return absl::InvalidArgumentError(
      absl::StrCat(rate, "=", values.Text(rate), ": a start every ", interval_ns,
                   " ns, where only whole ns are ", "possible and ", whole_ns,
                   " would be another rate; choose less, or what makes a whole one"));
}

Parameter SynchronizationMode(const std::string& default_mode) {
  return {.name = "synchronization_mode",
          .default_text = default_mode,
          .unit = "",
          .help = "When these starts are: open_loop_interval_distribution of the config.",
          .choices = {"constant", "exponential", "sync_burst", "sync_burst_spread"}};
}

Parameter WarmupSeconds(int64_t default_seconds) {
  return {.name = kWarmupSeconds,
          .default_text = absl::StrCat(default_seconds),
          .unit = "s",
          .help = "Traffic before what is measured.",
          .kind = Parameter::Kind::kNumber,
          .least = 0,
          .greatest = kMaxWarmupSeconds};
}

Parameter WarmupIterations(int64_t default_count) {
  return IntegerParameter(kWarmupIterations, default_count, "iterations",
                          "How many of the measured time are warmup.", 0, kMaxWarmupIterations);
}

Parameter WarmupIterationsInstead() {
  Parameter parameter = WarmupIterations(0);
  parameter.default_text.clear();
  parameter.help = "In place of warmup_seconds: how many of the measured time are warmup.";
  parameter.in_place_of = {kWarmupSeconds};
  return parameter;
}

absl::Duration WarmupOf(const ParameterValues& values) {
  if (!values.Has(kWarmupSeconds)) return absl::ZeroDuration();
  return absl::Seconds(values.Number(kWarmupSeconds));
}

int64_t WarmupIterationsOf(const ParameterValues& values) {
  return values.Has(kWarmupIterations) ? values.Integer(kWarmupIterations) : 0;
}

}  // namespace distbench
