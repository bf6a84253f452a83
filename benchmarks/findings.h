// FigureFinding: what the measurements of one figure come to, and whether it keeps its bound. Pure.
#ifndef BENCHMARKS_FINDINGS_H_
#define BENCHMARKS_FINDINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/benchmark.h"
#include "benchmarks/statistics.h"

namespace distbench {

struct FigureFinding {
  FigureSpec figure;
  std::optional<double> floor_median;  // none: a figure without a floor
  double ours_median = 0;
  MedianEstimate compared;  // of the ratios, differences or values, pair by pair
  std::optional<Requirement> requirement;
  bool passed = true;  // true without a requirement
};

// Whether bounds are those of the product or the generous ones.
enum class Bounds { kRequired, kSmoke };

// A finding for each figure of the benchmark, in order. Requires: `measurements` has at least one
// pair and as many figures as the benchmark.
std::vector<FigureFinding> Evaluate(const Benchmark& benchmark, const Measurements& measurements,
                                    Bounds bounds);

// ">= 0.95, interval >= 0.93".
std::string ToText(const Requirement& requirement);

}  // namespace distbench

#endif  // BENCHMARKS_FINDINGS_H_
