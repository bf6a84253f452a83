// What came out of a test sequence, for the exit code. Pure.
#ifndef DISTBENCH_CLI_TEST_OUTCOME_H_
#define DISTBENCH_CLI_TEST_OUTCOME_H_

#include "absl/status/status.h"

namespace distbench {

class TestSequence;
class TestSequenceResults;

// OK if every test of `sequence` is there and ended as planned; else which of the others did not,
// and why. The code is that of the first of them; CANCELLED if that is how the sequence ended.
absl::Status OutcomeOf(const TestSequence& sequence, const TestSequenceResults& results);

// Of a sequence of one test whose name the reader knows: OK if it ended as planned, else why not.
absl::Status OutcomeOfOnlyTest(const TestSequenceResults& results);

}  // namespace distbench

#endif  // DISTBENCH_CLI_TEST_OUTCOME_H_
