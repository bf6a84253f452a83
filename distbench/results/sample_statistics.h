// Statistics out of samples, for logs of programs that record nothing else.
#ifndef DISTBENCH_RESULTS_SAMPLE_STATISTICS_H_
#define DISTBENCH_RESULTS_SAMPLE_STATISTICS_H_

#include "distbench/results/peer_histogram.h"
#include "distbench/results/rpc_totals.h"

namespace distbench {

class RpcPerformanceLog;
class RpcStatistics;

// Counts each sample of `log`. Nonsense in it (negative sizes, ends before starts) counts as zero,
// but shows in the least service time. `slab` outlives `histograms`.
void AddSamples(const RpcPerformanceLog& log, HistogramPageSlab& slab, RpcTotals& totals,
                RpcHistograms& histograms);

// Adds the service times of the measured successes.
void AddServiceTimes(const RpcPerformanceLog& log, PeerHistogram& histogram);

// All that samples can tell: not response times and lateness, nor what was cancelled, abandoned or
// left out.
RpcStatistics StatisticsFromSamples(const RpcPerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_STATISTICS_H_
