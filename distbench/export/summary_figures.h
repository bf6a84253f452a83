// Counts, outcomes and distributions, as summary JSON has them. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_FIGURES_H_
#define DISTBENCH_EXPORT_SUMMARY_FIGURES_H_

#include "distbench/results/rpc_totals.h"

namespace distbench {

namespace summary_json {
class Counts;
class Distribution;
class Outcome;
}  // namespace summary_json

void WriteCounts(const RpcTotals& totals, summary_json::Counts& counts);

// Requires: values were recorded.
void WriteDistribution(const LogLinearHistogram& histogram,
                       summary_json::Distribution& distribution);

// `histograms` may be null: nothing is known of times then. Requires: totals.count > 0.
void WriteOutcome(const OutcomeTotals& totals, const OutcomeHistograms* histograms,
                  summary_json::Outcome& outcome);

// From the first start to the last end of a measured success; 0 if there was none.
double TotalSeconds(const RpcTotals& totals);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_FIGURES_H_
