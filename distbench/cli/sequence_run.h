// Has a test sequencer run a sequence, the way people want it: with progress on a terminal, with an
// end in sight, and so that Ctrl-C stops the tests and not only this program.
#ifndef DISTBENCH_CLI_SEQUENCE_RUN_H_
#define DISTBENCH_CLI_SEQUENCE_RUN_H_

#include "absl/status/statusor.h"
#include "distbench/net/socket_address.h"

namespace distbench {

class TerminationSignal;
class TestSequence;
class TestSequenceResults;

// Returns when the sequencer has answered, cannot be reached (UNAVAILABLE, within seconds), takes
// longer than the tests may (DEADLINE_EXCEEDED), or `termination` comes (CANCELLED).
absl::StatusOr<TestSequenceResults> RunSequence(const HostPort& sequencer,
                                                const TestSequence& sequence,
                                                TerminationSignal* termination);

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_RUN_H_
