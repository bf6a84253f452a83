// How long a test sequence may take. Pure.
#ifndef DISTBENCH_CLI_TEST_DEADLINE_H_
#define DISTBENCH_CLI_TEST_DEADLINE_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace distbench {

class TestSequence;

// Gives every test this timeout in place of its own. Requires: positive.
void SetTestTimeouts(absl::Duration timeout, TestSequence* sequence);

// When to give up waiting for the answer, counted from the request: the sum of the tests' timeouts
// if each one says its own, else an hour; and for each test some time to be set up, and for what
// it has measured when it runs into its timeout to be delivered. An error if a timeout is no
// positive number.
absl::StatusOr<absl::Duration> SequenceDeadline(const TestSequence& sequence);

}  // namespace distbench

#endif  // DISTBENCH_CLI_TEST_DEADLINE_H_
