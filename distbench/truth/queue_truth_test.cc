// A queue with one server, Poisson arrivals and loads up to 95 %, against the formulas.
//
// Successive response times resemble each other for some (1 - load)^-2 requests, so it takes many
// requests to know a mean. The standard error of the mean response time of n requests to M/M/1 is
// sqrt(load (2 + 5 load - 4 load^2 + load^3) / n) / (1 - load)^2 service times (Whitt, "Planning
// queueing simulations", Management Science 35, 1989, after Daley); that of the 99 % quantile
// follows from the reflected Brownian motion which a busy queue resembles (asymptotic variance
// 0.0189 of the indicator of its upper hundredth, in its own unit of time). M/D/1 varies half as
// much. In per cent:
//
//   load   requests to the server   sampled   error of the mean   of 99 %
//   0.5                   500 000       all                 0.4       0.8
//   0.8                 6 000 000      1/20                 0.4       0.9
//   0.95               90 000 000     1/300                 0.4       1.0
//
// so 3 % is three standard errors or more for whatever seed. The engine sends the requests of the
// third column; the others come from others (see SimulatedServer). All together are a Poisson
// process, and a sample that does not look at the queue finds what all find (Wolff, "Poisson
// arrivals see time averages", Operations Research 30, 1982).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/sampling/counter_random.h"
#include "distbench/sampling/poisson_process.h"
#include "distbench/truth/expect_times.h"
#include "distbench/truth/measured_run.h"
#include "distbench/truth/printed_value.h"
#include "distbench/truth/queue_theory.h"
#include "distbench/truth/service_times.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kServiceNs = 1'000'000;
constexpr double kTolerance = 0.03;

struct QueueCase {
  double load = 0;
  int64_t rpcs = 0;
  int64_t requests_per_rpc = 1;  // to the server, those of others included
};

void PrintTo(const QueueCase& queue, std::ostream* out) { *out << "load " << queue.load; }

// A Poisson process of all requests less that of the RPCs.
std::optional<PoissonProcess> Others(const QueueCase& queue, int64_t rpc_interval_ns) {
  if (queue.requests_per_rpc == 1) return std::nullopt;
  const double others_per_ns = queue.load / kServiceNs - 1 / static_cast<double>(rpc_interval_ns);
  return PoissonProcess({.mean_gap_ns = 1 / others_per_ns, .gaps = CounterRandom({1})});
}

MeasuredRun Measure(const QueueCase& queue, const ServiceTimes& service_times) {
  const int64_t rpc_interval_ns = std::llround(static_cast<double>(queue.requests_per_rpc) *
                                               static_cast<double>(kServiceNs) / queue.load);
  return MeasuredRun({.iterations = absl::StrCat("max_iteration_count: ", queue.rpcs,
                                                 " open_loop_interval_ns: ", rpc_interval_ns,
                                                 " open_loop_interval_distribution: 'exponential'"),
                      .server = {.service_times = service_times,
                                 .one_at_a_time = true,
                                 .others = Others(queue, rpc_interval_ns)}});
}

// Holds what the summary prints against the formulas, in service times.
void ExpectResponse(const MeasuredRun& run, double mean, double percentile_99) {
  const std::vector<std::string> summary = run.Summary();
  const auto printed_mean = PrintedValue(summary, "RPC statistics:", "query", "mean");
  const auto printed_99 = PrintedValue(summary, "Open loop summary:", "query response time", "99%");
  ASSERT_TRUE(printed_mean.has_value() && printed_99.has_value());
  EXPECT_NEAR(static_cast<double>(*printed_mean) / kServiceNs, mean, kTolerance * mean);
  EXPECT_NEAR(static_cast<double>(*printed_99) / kServiceNs, percentile_99,
              kTolerance * percentile_99);
  // And, apart from all chance, against what this very queue did.
  ExpectTimes(run.times().response_time, run.TrueTimesNs());
}

class QueueTruthTest : public testing::TestWithParam<QueueCase> {};

TEST_P(QueueTruthTest, ExponentialServiceTimesGiveTheResponseTimesOfMm1) {
  const double load = GetParam().load;
  ExpectResponse(Measure(GetParam(), ExponentialTimes(kServiceNs, 2)), Mm1MeanResponse(load),
                 Mm1ResponseQuantile(load, 0.99));
}

TEST_P(QueueTruthTest, ConstantServiceTimesGiveTheResponseTimesOfMd1) {
  const double load = GetParam().load;
  ExpectResponse(Measure(GetParam(), ConstantTimes(kServiceNs)), Md1MeanResponse(load),
                 Md1ResponseQuantile(load, 0.99));
}

INSTANTIATE_TEST_SUITE_P(
    Loads, QueueTruthTest,
    testing::Values(QueueCase{.load = 0.5, .rpcs = 500'000},
                    QueueCase{.load = 0.8, .rpcs = 300'000, .requests_per_rpc = 20},
                    QueueCase{.load = 0.95, .rpcs = 300'000, .requests_per_rpc = 300}));

}  // namespace
}  // namespace distbench
