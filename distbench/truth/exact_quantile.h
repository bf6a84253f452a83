// Quantiles by sorting: what a histogram is held against.
#ifndef DISTBENCH_TRUTH_EXACT_QUANTILE_H_
#define DISTBENCH_TRUTH_EXACT_QUANTILE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace distbench {

// The value at position floor(N * q), q in parts per million. Requires: sorted, not empty.
inline int64_t ExactQuantile(const std::vector<int64_t>& sorted, uint32_t parts_per_million) {
  const size_t position = sorted.size() * parts_per_million / 1'000'000;
  return sorted[std::min(position, sorted.size() - 1)];
}

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_EXACT_QUANTILE_H_
