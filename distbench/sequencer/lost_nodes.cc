#include "distbench/sequencer/lost_nodes.h"

#include <cstdint>
#include <utility>

#include "distbench/sequencer/silence.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int64_t kProbeTimeoutNs = 5'000'000'000;

}  // namespace

void MarkLostNodes(const CallContext& context, const StopSignal& stop,
                   const std::vector<NodeIndex>& suspects, Participants& participants) {
  NodeCalls<ClockReading> probes(
      context, suspects.size(), {.timeout_ns = kProbeTimeoutNs},
      [&](NodeIndex suspect, int64_t timeout_ns, NodeDone<ClockReading> done) {
        // Names no run: it asks the process, whatever that is busy with.
        return participants[suspects[suspect.value()]].node->stub->ProbeClock(
            ClockProbe(), timeout_ns, std::move(done));
      });
  probes.Await({.stop = &stop});
  if (stop.requested()) return;
  for (size_t i = 0; i < suspects.size(); ++i) {
    if (IsSilence(probes.answer(NodeIndex(i))->status())) participants[suspects[i]].lost = true;
  }
}

void AddError(const Participant& participant, const absl::Status& error, NodeErrors& errors) {
  if (participant.lost) {
    errors.AddLost(participant.node->ToString(), error);
  } else {
    errors.Add(participant.node->ToString(), error);
  }
}

}  // namespace distbench
