#include "distbench/results/histogram_moments.h"

#include <cmath>

namespace distbench {
namespace {

double Midpoint(uint32_t index) {
  return static_cast<double>(LogLinearHistogram::kLayout.Midpoint(index));
}

}  // namespace

double Mean(const LogLinearHistogram& histogram) {
  const LogLinearHistogram::Totals& totals = histogram.totals();
  if (totals.count == 0) return 0;
  return static_cast<double>(totals.sum) / static_cast<double>(totals.count);
}

double StandardDeviation(const LogLinearHistogram& histogram) {
  if (histogram.totals().count == 0) return 0;
  const double count = static_cast<double>(histogram.totals().count);
  double sum = 0;
  histogram.ForEachBucket([&](uint32_t index, uint64_t values) {
    sum += static_cast<double>(values) * Midpoint(index);
  });
  // About the mean of the middles, not the exact one, so that the distance between the two does not
  // count as spread.
  const double mean = sum / count;
  double squares = 0;
  histogram.ForEachBucket([&](uint32_t index, uint64_t values) {
    const double deviation = Midpoint(index) - mean;
    squares += static_cast<double>(values) * deviation * deviation;
  });
  return std::sqrt(squares / count);
}

}  // namespace distbench
