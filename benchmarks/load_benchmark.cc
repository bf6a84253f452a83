#include "benchmarks/load_benchmark.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/calibrate_loads.h"
#include "benchmarks/paired_run.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

// Of the time that a measurement takes.
constexpr double kCalibrationShare = 0.25;

absl::StatusOr<SideValues> Values(const absl::StatusOr<LoadFigures>& figures, bool with_latency) {
  if (!figures.ok()) return figures.status();
  SideValues values = {figures->per_second, figures->cpu_ns_per_rpc};
  if (with_latency) values.push_back(figures->median_ns / 1000);
  return values;
}

absl::StatusOr<Measurements> RunComparison(const Programs& programs,
                                           const LoadComparison& comparison,
                                           const RunOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Cluster> cluster, Cluster::Start(programs.distbench));
  ASSIGN_OR_RETURN(const BestFloor floor,
                   FindBestFloor(programs.floors, comparison.floors, comparison.floor_shape,
                                 options.seconds * kCalibrationShare));
  const bool with_latency = comparison.our_shape.in_flight == 1;
  ASSIGN_OR_RETURN(
      Measurements measurements,
      RunPairs(
          options.pairs, [&] { return Values(floor.load->Run(options.seconds), with_latency); },
          [&] {
            return Values(cluster->Run(comparison.driver, comparison.our_shape, options.seconds),
                          with_latency);
          }));
  measurements.notes = floor.notes;
  return measurements;
}

std::string Describe(const DriverChoice& driver) {
  return absl::StrCat(driver.protocol, driver.settings.empty() ? ", default settings" : ", ",
                      driver.settings);
}

absl::StatusOr<Measurements> RunDriverComparison(const Programs& programs,
                                                 const DriverComparison& comparison,
                                                 const RunOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Cluster> cluster, Cluster::Start(programs.distbench));
  std::vector<LoadCandidate> candidates;
  for (const DriverChoice& other : comparison.others) {
    candidates.push_back({.name = Describe(other), .run = [&](double seconds) {
                            return cluster->Run(other, comparison.others_shape, seconds);
                          }});
  }
  ASSIGN_OR_RETURN(const Calibration calibration,
                   CalibrateLoads(candidates, options.seconds * kCalibrationShare));
  const DriverChoice& best = comparison.others[calibration.best];
  ASSIGN_OR_RETURN(
      Measurements measurements,
      RunPairs(
          options.pairs,
          [&] {
            return Values(cluster->Run(best, comparison.others_shape, options.seconds), false);
          },
          [&] {
            return Values(cluster->Run(comparison.ours, comparison.our_shape, options.seconds),
                          false);
          }));
  measurements.notes = calibration.notes;
  return measurements;
}

}  // namespace

Benchmark CompareLoads(const Programs& programs, const LoadComparison& comparison) {
  Benchmark benchmark = {
      .name = comparison.name,
      .summary = comparison.summary,
      .figures = {{.name = "RPCs",
                   .unit = "1/s",
                   .required = comparison.bounds.rate,
                   .smoke = comparison.bounds.smoke_rate},
                  {.name = "CPU per RPC", .unit = "ns", .required = comparison.bounds.cpu}},
      .run = [programs, comparison](const RunOptions& options) {
        return RunComparison(programs, comparison, options);
      }};
  if (comparison.our_shape.in_flight == 1) {
    benchmark.figures.push_back(
        {.name = "latency p50", .unit = "us", .required = comparison.bounds.latency});
  }
  return benchmark;
}

Benchmark CompareDrivers(const Programs& programs, const DriverComparison& comparison) {
  return {.name = comparison.name,
          .summary = comparison.summary,
          .figures = {{.name = "RPCs", .unit = "1/s", .required = comparison.rate},
                      {.name = "CPU per RPC", .unit = "ns"}},
          .run = [programs, comparison](const RunOptions& options) {
            return RunDriverComparison(programs, comparison, options);
          }};
}

}  // namespace distbench
