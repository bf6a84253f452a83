#include "distbench/results/sample_statistics.h"

#include <algorithm>
#include <cstdint>

#include "distbench/results/rpc_statistics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// No sum over the samples of one message (at most 2 GiB) overflows with these.
constexpr int64_t kMaxMessageBytes = int64_t{1} << 35;
constexpr int64_t kMaxTimeNs = int64_t{1} << 62;

class SampleCounter {
 public:
  SampleCounter(HistogramPageSlab& slab, RpcTotals& totals, RpcHistograms& histograms)
      : slab_(slab), totals_(totals), histograms_(histograms) {}

  void Add(const RpcSample& sample, bool failed) {
    const Outcome outcome = OutcomeOf(failed, sample.warmup());
    const int64_t start_ns = std::clamp(sample.start_timestamp_ns(), -kMaxTimeNs, kMaxTimeNs);
    const int64_t duration_ns = std::clamp<int64_t>(sample.latency_ns(), 0, kMaxTimeNs - 1);
    totals_.outcomes[outcome].Add({
        .start_ns = start_ns,
        .end_ns = start_ns + duration_ns,
        .request_bytes = std::clamp<int64_t>(sample.request_size(), 0, kMaxMessageBytes),
        .response_bytes = std::clamp<int64_t>(sample.response_size(), 0, kMaxMessageBytes),
    });
    histograms_.Get(outcome, slab_).service_time.Record(sample.latency_ns());
    if (failed) ++totals_.error_counts[sample.error_index()];
  }

 private:
  HistogramPageSlab& slab_;
  RpcTotals& totals_;
  RpcHistograms& histograms_;
};

}  // namespace

void AddSamples(const RpcPerformanceLog& log, HistogramPageSlab& slab, RpcTotals& totals,
                RpcHistograms& histograms) {
  RpcTotals counted;
  SampleCounter counter(slab, counted, histograms);
  for (const RpcSample& sample : log.successful_rpc_samples()) counter.Add(sample, false);
  for (const RpcSample& sample : log.failed_rpc_samples()) counter.Add(sample, true);
  totals.MergeCounters(counted);
  for (const auto& [index, count] : counted.error_counts) {
    AddSaturating(count, totals.error_counts[index]);
  }
}

void AddServiceTimes(const RpcPerformanceLog& log, PeerHistogram& histogram) {
  for (const RpcSample& sample : log.successful_rpc_samples()) {
    if (!sample.warmup()) histogram.Record(sample.latency_ns());
  }
}

RpcStatistics StatisticsFromSamples(const RpcPerformanceLog& log) {
  HistogramPageSlab slab;
  RpcTotals totals;
  RpcHistograms histograms;
  AddSamples(log, slab, totals, histograms);
  RpcStatistics statistics;
  WriteTotals(totals, WallAnchor(), statistics);
  WriteHistograms(histograms, statistics);
  return statistics;
}

}  // namespace distbench
