// What may be said of a ratio that was measured a few times: its median, and where the true median
// lies. Pure.
//
// The interval is that of order statistics. Of n values as many lie below the true median as a fair
// coin shows heads, whatever their distribution; so between the k-th smallest and the k-th greatest
// value the median lies with a probability that is known exactly.
#ifndef BENCHMARKS_STATISTICS_H_
#define BENCHMARKS_STATISTICS_H_

#include <cstddef>
#include <vector>

namespace distbench {

// P(X <= k) where X counts the heads of n tosses of a fair coin.
double FairCoinAtMost(size_t n, size_t k);

// Requires: `values` is not empty.
double Median(std::vector<double> values);

struct MedianEstimate {
  size_t count = 0;  // values behind it
  double median = 0;
  double lower = 0;  // the interval, both ends included
  double upper = 0;
  double coverage = 0;  // probability that the interval holds the true median
};

inline constexpr double kConfidence = 0.95;

// The narrowest symmetric interval with at least kConfidence. Fewer than six values have none: then
// it spans them all and its coverage is less. Requires: `values` is not empty.
MedianEstimate EstimateMedian(std::vector<double> values);

enum class Side { kFloor, kOurs };

// The order in which `pairs` pairs are measured: floor, ours, ours, floor, floor, ours ... A drift
// of the machine that is linear over four measurements thus favours neither.
std::vector<Side> AbbaOrder(size_t pairs);

// The growth exponent k of cost ~ size^k between two points. Requires: all positive, sizes differ.
double GrowthExponent(double small_size, double small_cost, double large_size, double large_cost);

}  // namespace distbench

#endif  // BENCHMARKS_STATISTICS_H_
