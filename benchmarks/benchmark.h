// Benchmark: one comparison that this program can make, with the bounds that it has to keep.
//
// A benchmark measures several figures at a time, on two sides: the floor (the best that the same
// library or machine can do without us) and ours. Both sides are measured in turn, in pairs, and
// what counts is the ratio or the difference within each pair, so that a machine that slows down
// half-way slows down both. Figures without a floor stand for themselves.
#ifndef BENCHMARKS_BENCHMARK_H_
#define BENCHMARKS_BENCHMARK_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace distbench {

// A bound on the median of what is compared, and, if given, on that end of the interval which is
// nearer to failure.
struct Requirement {
  enum class Sense { kAtLeast, kAtMost };
  Sense sense = Sense::kAtLeast;
  double median = 0;
  std::optional<double> interval_end;
};

inline Requirement AtLeast(double median, std::optional<double> interval_end = std::nullopt) {
  return {.sense = Requirement::Sense::kAtLeast, .median = median, .interval_end = interval_end};
}
inline Requirement AtMost(double median, std::optional<double> interval_end = std::nullopt) {
  return {.sense = Requirement::Sense::kAtMost, .median = median, .interval_end = interval_end};
}

enum class Comparison {
  kRatio,       // ours / floor
  kDifference,  // ours - floor
  kValue,       // ours alone
};

struct FigureSpec {
  std::string name;
  std::string unit;
  Comparison comparison = Comparison::kRatio;
  std::optional<Requirement> required = {};
  // A generous bound that holds on a busy machine too, so that only a large loss breaks it.
  std::optional<Requirement> smoke = {};
};

struct RunOptions {
  size_t pairs = 15;
  double seconds = 2;  // of each measurement
};

// One measurement of one side: a value for each figure of the benchmark, in order.
using SideValues = std::vector<double>;

struct Measurements {
  // By figure, then by pair. Of figures without a floor the floor's value means nothing.
  std::vector<std::vector<double>> floor;
  std::vector<std::vector<double>> ours;
  std::vector<std::string> notes;  // for people: what else was seen
};

struct Benchmark {
  std::string name;     // "grpc_small_p100"
  std::string summary;  // what is compared with what
  std::vector<FigureSpec> figures;
  std::function<absl::StatusOr<Measurements>(const RunOptions&)> run;

  bool in_smoke_run() const {
    for (const FigureSpec& figure : figures) {
      if (figure.smoke.has_value()) return true;
    }
    return false;
  }
};

using Benchmarks = std::vector<Benchmark>;

}  // namespace distbench

#endif  // BENCHMARKS_BENCHMARK_H_
