// Servers that take known times for as many requests at once as there are: the result must say
// these times.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "distbench/results/printed_percentiles.h"
#include "distbench/truth/exact_quantile.h"
#include "distbench/truth/expect_times.h"
#include "distbench/truth/measured_run.h"
#include "distbench/truth/printed_value.h"
#include "distbench/truth/service_times.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr size_t kRpcs = 50'000;
constexpr char kOpenLoop[] = "max_iteration_count: 50000 open_loop_interval_ns: 100000";
constexpr char kPoisson[] =
    "max_iteration_count: 50000 open_loop_interval_ns: 100000 "
    "open_loop_interval_distribution: 'exponential'";
constexpr char kClosedLoop[] = "max_iteration_count: 50000 max_parallel_iterations: 8";

struct Model {
  std::string name;
  ServiceTimes times;
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

class ServiceTimeTruthTest : public testing::TestWithParam<Model> {
 protected:
  static MeasuredRun Measure(const std::string& iterations) {
    return MeasuredRun({.iterations = iterations, .server = {.service_times = GetParam().times}});
  }

  // Drawn here again, in the order in which the server draws them.
  static std::vector<int64_t> ServerTimesNs() {
    ServiceTimes next = GetParam().times;
    std::vector<int64_t> times_ns;
    for (size_t i = 0; i < kRpcs; ++i) times_ns.push_back(next());
    return times_ns;
  }
};

TEST_P(ServiceTimeTruthTest, AnOpenLoopOnTimeFindsTheServersTimesFromBothStarts) {
  for (const char* iterations : {kOpenLoop, kPoisson}) {
    SCOPED_TRACE(iterations);
    const MeasuredRun run = Measure(iterations);
    ExpectTimes(run.times().response_time, ServerTimesNs());
    ExpectTimes(run.times().service_time, ServerTimesNs());
    ExpectTimes(run.times().lateness, std::vector<int64_t>(kRpcs, 0));
  }
}

TEST_P(ServiceTimeTruthTest, AClosedLoopFindsTheServersTimes) {
  const MeasuredRun run = Measure(kClosedLoop);
  ExpectTimes(run.times().service_time, ServerTimesNs());
  EXPECT_EQ(run.times().response_time.totals().count, 0u);
}

TEST_P(ServiceTimeTruthTest, ASummaryPrintsTheServersTimes) {
  const std::vector<std::string> summary = Measure(kOpenLoop).Summary();
  std::vector<int64_t> times_ns = ServerTimesNs();
  std::sort(times_ns.begin(), times_ns.end());
  for (const PrintedPercentile& percentile : kPrintedPercentiles) {
    const double expected = static_cast<double>(ExactQuantile(times_ns, percentile.ppm));
    for (const char* subject : {"query response time", "query service time"}) {
      const auto printed = PrintedValue(summary, "Open loop summary:", subject, percentile.name);
      ASSERT_TRUE(printed.has_value()) << subject << " " << percentile.name;
      EXPECT_NEAR(static_cast<double>(*printed), expected, 0.005 * expected) << percentile.name;
    }
  }
  EXPECT_EQ(PrintedValue(summary, "RPC latency summary:", "query", "N"), kRpcs);
  EXPECT_EQ(PrintedValue(summary, "RPC latency summary:", "query", "min"), times_ns.front());
  EXPECT_EQ(PrintedValue(summary, "RPC latency summary:", "query", "max"), times_ns.back());
}

INSTANTIATE_TEST_SUITE_P(Models, ServiceTimeTruthTest,
                         testing::Values(Model{"Constant", ConstantTimes(250'000)},
                                         Model{"Uniform", UniformTimes(100'000, 300'000, 1)},
                                         Model{"Bimodal", BimodalTimes({.fast_ns = 100'000,
                                                                        .slow_ns = 5'000'000,
                                                                        .slow_share = 0.02},
                                                                       2)},
                                         Model{"Exponential", ExponentialTimes(200'000, 3)}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace distbench
