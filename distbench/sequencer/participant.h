// Participant: a node in one test, and what has become known of it.
#ifndef DISTBENCH_SEQUENCER_PARTICIPANT_H_
#define DISTBENCH_SEQUENCER_PARTICIPANT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/sequencer/clock_offset.h"
#include "distbench/sequencer/node_index.h"
#include "distbench/sequencer/node_pool.h"

namespace distbench {

struct Participant {
  NodePointer node;
  std::vector<InstanceIndex> instances;  // may be empty: nodes of other programs always take part
  bool configured = false;               // it was sent ConfigureNode: it may hold engines
  bool lost = false;                     // it stopped answering
  std::optional<ClockOffset> clock;      // none: it cannot be asked
  bool agreed_start = false;
  std::optional<int64_t> start_skew_ns;  // actual minus agreed start
};

// In the order of the nodes' numbers.
using Participants = IndexedVector<NodeIndex, Participant>;

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PARTICIPANT_H_
