#include "benchmarks/statistics.h"

#include <algorithm>
#include <cmath>

namespace distbench {

double FairCoinAtMost(size_t n, size_t k) {
  double probability = std::ldexp(1.0, -static_cast<int>(n));  // of no heads at all
  double sum = 0;
  for (size_t heads = 0; heads <= std::min(k, n); ++heads) {
    sum += probability;
    probability *= static_cast<double>(n - heads) / static_cast<double>(heads + 1);
  }
  return sum;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

MedianEstimate EstimateMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  size_t outside = 0;  // values beyond the interval, at each end
  while (2 * (outside + 1) < n && 1 - 2 * FairCoinAtMost(n, outside + 1) >= kConfidence) ++outside;
  return {.count = n,
          .median = Median(values),
          .lower = values[outside],
          .upper = values[n - 1 - outside],
          .coverage = n == 1 ? 0 : 1 - 2 * FairCoinAtMost(n, outside)};
}

std::vector<Side> AbbaOrder(size_t pairs) {
  std::vector<Side> order;
  for (size_t i = 0; i < pairs; ++i) {
    const bool floor_first = i % 2 == 0;
    order.push_back(floor_first ? Side::kFloor : Side::kOurs);
    order.push_back(floor_first ? Side::kOurs : Side::kFloor);
  }
  return order;
}

double GrowthExponent(double small_size, double small_cost, double large_size, double large_cost) {
  return std::log(large_cost / small_cost) / std::log(large_size / small_size);
}

}  // namespace distbench
