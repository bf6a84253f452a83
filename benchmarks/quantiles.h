// Reads a histogram of a result.
#ifndef BENCHMARKS_QUANTILES_H_
#define BENCHMARKS_QUANTILES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace distbench {

class Histogram;

inline constexpr uint32_t kMedianPpm = 500'000;
inline constexpr uint32_t kP99Ppm = 990'000;
inline constexpr uint32_t kP999Ppm = 999'000;

// The values at these places (parts per million) of the sorted values, in ns as the histogram has
// them. An error if the histogram is empty or contradicts itself.
absl::StatusOr<std::vector<double>> Quantiles(const Histogram& histogram,
                                              absl::Span<const uint32_t> parts_per_million);

}  // namespace distbench

#endif  // BENCHMARKS_QUANTILES_H_
