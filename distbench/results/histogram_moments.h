// Mean and standard deviation of what a histogram counts. Pure.
#ifndef DISTBENCH_RESULTS_HISTOGRAM_MOMENTS_H_
#define DISTBENCH_RESULTS_HISTOGRAM_MOMENTS_H_

#include "distbench/results/histogram.h"

namespace distbench {

// Exact but for rounding. 0 without values.
double Mean(const LogLinearHistogram& histogram);

// Of the whole population, with each value in the middle of its bucket: that moves a value by up to
// 0.1 % of itself, and 0 stays 0 where all values lie in one bucket. 0 without values.
double StandardDeviation(const LogLinearHistogram& histogram);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_HISTOGRAM_MOMENTS_H_
