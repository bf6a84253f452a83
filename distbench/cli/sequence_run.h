// Has a test sequencer run a sequence, the way people want it: with progress on a terminal, with an
// end in sight, and so that Ctrl-C stops the tests and loses nothing that they have yielded.
#ifndef DISTBENCH_CLI_SEQUENCE_RUN_H_
#define DISTBENCH_CLI_SEQUENCE_RUN_H_

#include <string>

#include "absl/status/status.h"
#include "distbench/net/socket_address.h"

namespace distbench {

class ResultDestination;
class TerminationSignal;
class TestSequence;

// What the user reads, as far as it depends on the command.
struct SequenceRunTexts {
  // On the first termination signal.
  std::string on_stop = "stopping the tests; again to quit without results";
  // What gives the sequencer's address.
  std::string sequencer_flag = "--test_sequencer";
};

// Returns when the sequencer has answered, cannot be reached (UNAVAILABLE, within seconds), or
// takes longer than the tests may (DEADLINE_EXCEEDED). On a first termination signal the tests are
// stopped, and what they have yielded by then comes, their reports saying so; on a second one, or
// where the sequencer cannot do that, the answer is CANCELLED. Results go to `destination`, which
// is not finished.
absl::Status RunSequence(const HostPort& sequencer, const TestSequence& sequence,
                         TerminationSignal* termination, ResultDestination* destination,
                         const SequenceRunTexts& texts = {});

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_RUN_H_
