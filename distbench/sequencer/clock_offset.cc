#include "distbench/sequencer/clock_offset.h"

namespace distbench {
namespace {

// The year 2116. Differences and sums of two times below it stay far from overflow.
constexpr int64_t kMaxTimestampNs = int64_t{1} << 62;

bool Sensible(int64_t timestamp_ns) { return timestamp_ns >= 0 && timestamp_ns < kMaxTimestampNs; }

bool Usable(const ProbeTimes& probe) {
  return Sensible(probe.sent_ns) && Sensible(probe.node_received_ns) &&
         Sensible(probe.node_sent_ns) && Sensible(probe.received_ns) &&
         probe.node_sent_ns >= probe.node_received_ns &&
         probe.received_ns - probe.sent_ns >= probe.node_sent_ns - probe.node_received_ns;
}

int64_t RoundTripNs(const ProbeTimes& probe) {
  return (probe.received_ns - probe.sent_ns) - (probe.node_sent_ns - probe.node_received_ns);
}

ClockOffset OffsetFrom(const ProbeTimes& probe) {
  const int64_t forward_ns = probe.node_received_ns - probe.sent_ns;
  const int64_t backward_ns = probe.node_sent_ns - probe.received_ns;
  // Half the sum of both, without the sum; the bound rounds up to stay one.
  return {.offset_ns = backward_ns + (forward_ns - backward_ns) / 2,
          .bound_ns = RoundTripNs(probe) / 2 + 1};
}

}  // namespace

std::optional<ClockOffset> EstimateClockOffset(const std::vector<ProbeTimes>& probes) {
  const ProbeTimes* best = nullptr;
  for (const ProbeTimes& probe : probes) {
    if (!Usable(probe)) continue;
    if (best == nullptr || RoundTripNs(probe) < RoundTripNs(*best)) best = &probe;
  }
  if (best == nullptr) return std::nullopt;
  return OffsetFrom(*best);
}

}  // namespace distbench
