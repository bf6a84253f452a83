// The benchmarks that hold a closed loop of the program under test against a floor.
#ifndef BENCHMARKS_LOAD_BENCHMARK_H_
#define BENCHMARKS_LOAD_BENCHMARK_H_

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/benchmark.h"
#include "benchmarks/cluster.h"
#include "benchmarks/floor_load.h"
#include "benchmarks/groups.h"
#include "benchmarks/load.h"

namespace distbench {

struct LoadBounds {
  std::optional<Requirement> rate = {};
  std::optional<Requirement> cpu = {};
  std::optional<Requirement> latency = {};  // one in flight only
  std::optional<Requirement> smoke_rate = {};
};

struct LoadComparison {
  std::string name;
  std::string summary;
  std::vector<FloorVariant> floors;  // the best of them is the floor
  DriverChoice driver;
  LoadShape floor_shape;
  LoadShape our_shape;
  LoadBounds bounds;
};

// The figures: RPCs a second, CPU per RPC, and with one in flight the median latency.
Benchmark CompareLoads(const Programs& programs, const LoadComparison& comparison);

// What each of several drivers or settings gives, `ours` against the best of `others`.
struct DriverComparison {
  std::string name;
  std::string summary;
  std::vector<DriverChoice> others;
  DriverChoice ours;
  LoadShape others_shape;
  LoadShape our_shape;
  std::optional<Requirement> rate;
};
Benchmark CompareDrivers(const Programs& programs, const DriverComparison& comparison);

}  // namespace distbench

#endif  // BENCHMARKS_LOAD_BENCHMARK_H_
