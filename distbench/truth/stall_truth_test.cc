// Something stands still for a second, once, in 20 s of requests that take 0.1 ms or 1 ms each.
//
// With arrivals every millisecond a share of 1 s / 20 s = 5 % of all requests falls into the stall,
// and the request that comes x before its end waits x: so waiting times are evenly spread over that
// second, and the percentile q > 95 % of the response time is 1 s - (1 - q) * 20 s above what it is
// without a stall: 0.8 s at 99 %, 0.98 s at 99.9 %.
//
// A closed loop of one asks for nothing while it waits, so the same stall is one sample of 20 000.
// That it was no rare event for those who would have asked is what such a figure leaves out
// ("coordinated omission", Tene).
#include <cstdint>
#include <string>
#include <vector>

#include "distbench/truth/exact_quantile.h"
#include "distbench/truth/expect_times.h"
#include "distbench/truth/measured_run.h"
#include "distbench/truth/service_times.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;
constexpr int64_t kRequests = 20'000;
constexpr int64_t kServiceNs = kMs / 10;
constexpr Standstill kStall = {.begin_ns = 5 * kSecond + kMs / 2,
                               .end_ns = 6 * kSecond + kMs / 2};  // no request is due, none runs
constexpr char kEveryMs[] = "max_iteration_count: 20000 open_loop_interval_ns: 1000000";

// Waiting times of requests that come every millisecond.
std::vector<int64_t> WaitsNs() {
  std::vector<int64_t> waits_ns;
  for (int64_t arrival_ns = 0; arrival_ns < kRequests * kMs; arrival_ns += kMs) {
    const bool waits = arrival_ns > kStall.begin_ns && arrival_ns < kStall.end_ns;
    waits_ns.push_back(waits ? kStall.end_ns - arrival_ns : 0);
  }
  return waits_ns;
}

std::vector<int64_t> Plus(int64_t addend, std::vector<int64_t> values) {
  for (int64_t& value : values) value += addend;
  return values;
}

void ExpectStallInPercentiles(const LogLinearHistogram& times) {
  EXPECT_NEAR(static_cast<double>(times.Quantile(990'000)), 0.8e9 + kServiceNs, 0.8e9 * 0.005);
  EXPECT_NEAR(static_cast<double>(times.Quantile(999'000)), 0.98e9 + kServiceNs, 0.98e9 * 0.005);
}

TEST(StallTruthTest, AnOpenLoopSeesAStallOfTheServerInAllRequestsThatWaited) {
  const MeasuredRun run(
      {.iterations = kEveryMs,
       .server = {.service_times = ConstantTimes(kServiceNs), .standstill = kStall}});
  // The client starts on time all the while, so it is the server that took so long.
  ExpectTimes(run.times().response_time, Plus(kServiceNs, WaitsNs()));
  ExpectTimes(run.times().service_time, Plus(kServiceNs, WaitsNs()));
  ExpectTimes(run.times().lateness, std::vector<int64_t>(kRequests, 0));
  ExpectStallInPercentiles(run.times().response_time);
}

TEST(StallTruthTest, AStallOfTheClientIsInTheResponseTimesAndInNoServiceTime) {
  const MeasuredRun run({.iterations = kEveryMs,
                         .server = {.service_times = ConstantTimes(kServiceNs)},
                         .client_standstill = kStall});
  ExpectTimes(run.times().response_time, Plus(kServiceNs, WaitsNs()));
  ExpectTimes(run.times().service_time, std::vector<int64_t>(kRequests, kServiceNs));
  ExpectTimes(run.times().lateness, WaitsNs());
  ExpectStallInPercentiles(run.times().response_time);
}

TEST(StallTruthTest, AClosedLoopOfOneSeesAStallOfTheServerOnce) {
  const MeasuredRun run({.iterations = "max_iteration_count: 20000",
                         .server = {.service_times = ConstantTimes(kMs), .standstill = kStall}});
  std::vector<int64_t> expected_ns(kRequests, kMs);
  expected_ns.back() += kSecond;
  ExpectTimes(run.times().service_time, expected_ns);
  // Even 99.99 % is as if nothing had happened.
  EXPECT_EQ(ExactQuantile(expected_ns, 999'900), kMs);
}

}  // namespace
}  // namespace distbench
