// Lost nodes: which of those whose calls failed are gone, and how errors tell it.
//
// UNAVAILABLE may be a node's silence, or its word about a third party: that a peer of its own
// cannot be reached. So a node is asked once more, something that concerns nobody else.
#ifndef DISTBENCH_SEQUENCER_LOST_NODES_H_
#define DISTBENCH_SEQUENCER_LOST_NODES_H_

#include <vector>

#include "absl/status/status.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/node_errors.h"
#include "distbench/sequencer/participant.h"

namespace distbench {

// Sets Participant::lost of the suspects that do not answer within some seconds. Finds nothing out
// once `stop` is requested.
void MarkLostNodes(const CallContext& context, const StopSignal& stop,
                   const std::vector<NodeIndex>& suspects, Participants& participants);

// What a participant's call failed with, told as its loss if it is lost.
void AddError(const Participant& participant, const absl::Status& error, NodeErrors& errors);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_LOST_NODES_H_
