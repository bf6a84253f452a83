// The message RpcStatistics: written from what was counted, and read back. A message may come from
// anywhere: nothing in it counts before it was checked.
#ifndef DISTBENCH_RESULTS_RPC_STATISTICS_H_
#define DISTBENCH_RESULTS_RPC_STATISTICS_H_

#include "absl/status/status.h"
#include "distbench/base/clock.h"
#include "distbench/results/peer_histogram.h"
#include "distbench/results/rpc_totals.h"

namespace distbench {

class RpcStatistics;

// Times in `totals` are monotonic and are written as wall time of `anchor`. Outcomes that no RPC
// had are left out.
void WriteTotals(const RpcTotals& totals, const WallAnchor& anchor, RpcStatistics& message);

// Adds the histograms to outcomes that WriteTotals wrote.
void WriteHistograms(const RpcHistograms& histograms, RpcStatistics& message);

// Adds the histogram that statistics per peer have, that of the measured successes' service time.
void WritePeerHistogram(const PeerHistogram& service_time, RpcStatistics& message);

// Adds the counters of `message` to `totals`, error counts included. An error names the field and
// leaves `totals` as it was.
absl::Status ReadTotals(const RpcStatistics& message, RpcTotals& totals);

// Whether every histogram in `message` is sound and counts as many RPCs as its outcome does.
absl::Status CheckHistograms(const RpcStatistics& message);

// The same of statistics per peer, which may lack the histogram.
absl::Status CheckPeerHistogram(const RpcStatistics& message);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RPC_STATISTICS_H_
