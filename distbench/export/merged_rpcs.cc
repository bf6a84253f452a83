#include "distbench/export/merged_rpcs.h"

#include "distbench/base/status_macros.h"
#include "distbench/export/result_names.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/rpc_statistics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

absl::Status MergeHistograms(const RpcStatistics& statistics, HistogramPageSlab& slab,
                             RpcHistograms& histograms) {
  for (const Outcome outcome : kOutcomes) {
    const OutcomeStatistics& from = StatisticsOf(statistics, outcome);
    if (from.count() == 0) continue;
    OutcomeHistograms& to = histograms.Get(outcome, slab);
    RETURN_IF_ERROR(MergeHistogram(from.service_time_ns(), to.service_time));
    RETURN_IF_ERROR(MergeHistogram(from.response_time_ns(), to.response_time));
    RETURN_IF_ERROR(MergeHistogram(from.lateness_ns(), to.lateness));
  }
  return absl::OkStatus();
}

}  // namespace

const OutcomeStatistics& StatisticsOf(const RpcStatistics& statistics, Outcome outcome) {
  switch (outcome) {
    case Outcome::kMeasuredSuccess:
      return statistics.measured_success();
    case Outcome::kMeasuredFailure:
      return statistics.measured_failure();
    case Outcome::kWarmupSuccess:
      return statistics.warmup_success();
    case Outcome::kWarmupFailure:
      break;
  }
  return statistics.warmup_failure();
}

absl::Status MergedRpcs::Add(const TestResult& test) {
  for (const auto& [instance, log] : test.service_logs().instance_logs()) {
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      MergedRpc& merged = by_rpc_[rpc];
      RpcTotals totals;
      RETURN_IF_ERROR(ReadTotals(statistics, totals));
      merged.totals.MergeCounters(totals);
      for (const auto& [error_index, count] : totals.error_counts) {
        AddSaturating(count, merged.errors[ErrorText(log.error_dictionary(), error_index)]);
      }
      RETURN_IF_ERROR(MergeHistograms(statistics, slab_, merged.histograms));
    }
  }
  return absl::OkStatus();
}

}  // namespace distbench
