// ClockOffset: how far a node's wall clock is ahead of the sequencer's.
//
//   sequencer   sent ---------.                  .---------> received
//                              \                /
//   node                   node_received -> node_sent
//
// If both ways took equally long the node's times lie in the middle of the sequencer's. However the
// round trip divides into its two ways, the true offset is within half of the round trip (less the
// node's own time) of that estimate. The probe with the shortest round trip bounds it best.
#ifndef DISTBENCH_SEQUENCER_CLOCK_OFFSET_H_
#define DISTBENCH_SEQUENCER_CLOCK_OFFSET_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace distbench {

// Wall times, since the epoch, each by the clock of the one that it happened to.
struct ProbeTimes {
  int64_t sent_ns = 0;
  int64_t node_received_ns = 0;
  int64_t node_sent_ns = 0;
  int64_t received_ns = 0;
};

struct ClockOffset {
  int64_t offset_ns = 0;  // node minus sequencer
  int64_t bound_ns = 0;   // the true offset is within +- this
};

// From the best of the probes. Probes that contradict themselves (a clock was set meanwhile) or lie
// outside of any sensible time are left out; none if no probe is usable.
std::optional<ClockOffset> EstimateClockOffset(const std::vector<ProbeTimes>& probes);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_CLOCK_OFFSET_H_
