// How much later than the machine's own floor an open loop starts its RPCs.
#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/engine_alone.h"
#include "benchmarks/groups.h"
#include "benchmarks/pacing_floor.h"
#include "benchmarks/paired_run.h"
#include "benchmarks/quantiles.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

// One way of waiting for a start, and what it is held against.
struct PacingCase {
  std::string pacing;  // as in the config
  void (*measure_floor)(const PacingFloorOptions&, LogLinearHistogram*) = nullptr;
  std::string floor;             // in words
  double allowed_excess_us = 0;  // of p99 over the floor's
};

// What is reported of a lateness, in parts per million.
constexpr std::array<uint32_t, 3> kPlaces = {kMedianPpm, kP99Ppm, kP999Ppm};

SideValues MeasureFloor(const PacingCase& pacing, const PacingFloorOptions& options) {
  HistogramPageSlab slab;
  LogLinearHistogram lateness(slab);
  pacing.measure_floor(options, &lateness);
  SideValues us;
  for (const uint32_t ppm : kPlaces) {
    us.push_back(static_cast<double>(lateness.Quantile(ppm)) / 1000);
  }
  return us;
}

absl::StatusOr<SideValues> MeasureOurs(const PacingCase& pacing,
                                       const PacingFloorOptions& options) {
  ASSIGN_OR_RETURN(
      auto engine,
      EngineAlone::Make(
          {.config_text = OneClientOneServer(absl::StrCat(
               "pacing: \"", pacing.pacing, "\" open_loop_interval_ns: ", options.interval_ns,
               " max_duration_us_64: ", static_cast<int64_t>(options.seconds * 1e6)))}));
  engine->Start();
  RETURN_IF_ERROR(engine->AwaitEnd());
  const RpcStatistics statistics = engine->Statistics();
  ASSIGN_OR_RETURN(SideValues values,
                   Quantiles(statistics.measured_success().lateness_ns(), kPlaces));
  for (double& value : values) value /= 1000;
  return values;
}

Benchmark PacingBenchmark(const PacingCase& pacing, int64_t starts_per_second) {
  return {
      .name = absl::StrCat("pacing_", pacing.pacing, "_", starts_per_second),
      .summary = absl::StrCat("lateness of an open loop, pacing ", pacing.pacing, ", ",
                              starts_per_second, " starts a second; floor: ", pacing.floor),
      .figures = {{.name = "lateness p50", .unit = "us", .comparison = Comparison::kDifference},
                  {.name = "lateness p99",
                   .unit = "us",
                   .comparison = Comparison::kDifference,
                   .required = AtMost(pacing.allowed_excess_us)},
                  {.name = "lateness p99.9", .unit = "us", .comparison = Comparison::kDifference}},
      .run = [pacing, starts_per_second](const RunOptions& options) {
        const PacingFloorOptions work = {.interval_ns = 1'000'000'000 / starts_per_second,
                                         .seconds = options.seconds};
        return RunPairs(
            options.pairs,
            [&]() -> absl::StatusOr<SideValues> { return MeasureFloor(pacing, work); },
            [&] { return MeasureOurs(pacing, work); });
      }};
}

}  // namespace

void AddPacingBenchmarks(Benchmarks* benchmarks) {
  const PacingCase cases[] = {
      {.pacing = "sleep",
       .measure_floor = MeasureSleepingFloor,
       .floor = "a bare loop on clock_nanosleep",
       .allowed_excess_us = 20},
      {.pacing = "spin",
       .measure_floor = MeasureSpinningFloor,
       .floor = "a bare loop that spins",
       .allowed_excess_us = 5},
      {.pacing = "hybrid",
       .measure_floor = MeasureSpinningFloor,
       .floor = "a bare loop that spins",
       .allowed_excess_us = 5},
  };
  for (const PacingCase& pacing : cases) {
    for (const int64_t starts_per_second : {1'000, 10'000}) {
      benchmarks->push_back(PacingBenchmark(pacing, starts_per_second));
    }
  }
}

}  // namespace distbench
