#include "distbench/results/rpc_totals.h"

namespace distbench {

void OutcomeTotals::Merge(const OutcomeTotals& other) {
  AddSaturating(other.count, count);
  AddSaturating(other.request_bytes, request_bytes);
  AddSaturating(other.response_bytes, response_bytes);
  first_start_ns = std::min(first_start_ns, other.first_start_ns);
  last_start_ns = std::max(last_start_ns, other.last_start_ns);
  last_end_ns = std::max(last_end_ns, other.last_end_ns);
}

void RpcTotals::MergeCounters(const RpcTotals& other) {
  for (const Outcome outcome : kOutcomes) outcomes[outcome].Merge(other.outcomes[outcome]);
  AddSaturating(other.cancelled, cancelled);
  AddSaturating(other.abandoned, abandoned);
  AddSaturating(other.samples_left_out, samples_left_out);
}

void OutcomeHistograms::Merge(const OutcomeHistograms& other) {
  service_time.Merge(other.service_time);
  response_time.Merge(other.response_time);
  lateness.Merge(other.lateness);
}

void RpcHistograms::Merge(const RpcHistograms& other, HistogramPageSlab& slab) {
  for (const Outcome outcome : kOutcomes) {
    const OutcomeHistograms* from = other.Find(outcome);
    if (from != nullptr) Get(outcome, slab).Merge(*from);
  }
}

}  // namespace distbench
