// How long tests will take, as far as their configs tell. Pure.
#ifndef DISTBENCH_CLI_EXPECTED_DURATION_H_
#define DISTBENCH_CLI_EXPECTED_DURATION_H_

#include "absl/time/time.h"

namespace distbench {

class DistributedSystemDescription;

// The longest of the test's actions: its time limit, or its number of iterations at their rate. An
// estimate for people: actions that wait for others, or run as fast as they can until a count is
// reached, take longer.
absl::Duration ExpectedDuration(const DistributedSystemDescription& test);

}  // namespace distbench

#endif  // DISTBENCH_CLI_EXPECTED_DURATION_H_
