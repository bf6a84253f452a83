// Measures two sides in turn; see AbbaOrder().
#ifndef BENCHMARKS_PAIRED_RUN_H_
#define BENCHMARKS_PAIRED_RUN_H_

#include <cstddef>
#include <functional>

#include "absl/status/statusor.h"
#include "benchmarks/benchmark.h"

namespace distbench {

using MeasureSide = std::function<absl::StatusOr<SideValues>()>;

// Measures `pairs` pairs. Each measurement has as many values as the benchmark has figures. The
// first error ends the run.
absl::StatusOr<Measurements> RunPairs(size_t pairs, const MeasureSide& floor,
                                      const MeasureSide& ours);

// The same without a floor, for benchmarks whose figures are all of Comparison::kValue.
absl::StatusOr<Measurements> RunAlone(size_t times, const MeasureSide& ours);

}  // namespace distbench

#endif  // BENCHMARKS_PAIRED_RUN_H_
