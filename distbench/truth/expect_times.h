// Measured times against the true ones.
#ifndef DISTBENCH_TRUTH_EXPECT_TIMES_H_
#define DISTBENCH_TRUTH_EXPECT_TIMES_H_

#include <cstdint>
#include <vector>

#include "distbench/results/histogram.h"

namespace distbench {

// The test fails unless count, sum, least and greatest value are those of `expected_ns`, and every
// percentile that a summary prints is within 0.5 % of the value at that position.
void ExpectTimes(const LogLinearHistogram& measured, std::vector<int64_t> expected_ns);

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_EXPECT_TIMES_H_
