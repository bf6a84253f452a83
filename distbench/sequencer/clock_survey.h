// ClockSurvey: the clock offsets of a test's nodes, by a few rounds of probes, and how long it
// takes to reach all of them.
#ifndef DISTBENCH_SEQUENCER_CLOCK_SURVEY_H_
#define DISTBENCH_SEQUENCER_CLOCK_SURVEY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/participant.h"

namespace distbench {

// Fills in Participant::clock where the node can tell its time; where one cannot, it stays empty.
// Returns the longest time that a round took, from the first request to the last answer. Wall times
// are those of `anchor`. An error if a node does not answer, or if `stop` was requested.
absl::StatusOr<int64_t> SurveyClocks(const CallContext& context, const WallAnchor& anchor,
                                     const StopSignal& stop, ControlCalls& control,
                                     Participants& participants);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_CLOCK_SURVEY_H_
