// Results with so many samples, made up, for tests of what carries them.
#ifndef DISTBENCH_RESULTS_MADE_UP_SAMPLES_H_
#define DISTBENCH_RESULTS_MADE_UP_SAMPLES_H_

#include <vector>

#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {

// A test "test" with the summary "figures", in which c/0 has sent so many RPCs of index 3 to s/0,
// with a sample of each.
TestResult TestWithSamples(int samples);

std::vector<ResultRecord> RecordsOf(const TestSequenceResults& results);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_MADE_UP_SAMPLES_H_
