#include "distbench/export/summary_figures.h"

#include <string>

#include "absl/numeric/int128.h"
#include "absl/time/time.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

std::string Rfc3339(int64_t timestamp_ns) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E9SZ", absl::FromUnixNanos(timestamp_ns),
                          absl::UTCTimeZone());
}

}  // namespace

void WriteDistribution(const LogLinearHistogram& histogram,
                       summary_json::Distribution& distribution) {
  const LogLinearHistogram::Totals& totals = histogram.totals();
  const auto quantile = [&](uint32_t parts_per_million) {
    return static_cast<double>(histogram.Quantile(parts_per_million));
  };
  const auto count = static_cast<double>(totals.count);
  distribution.set_count(count);
  distribution.set_min(static_cast<double>(totals.min));
  distribution.set_max(static_cast<double>(totals.max));
  distribution.set_mean(static_cast<double>(totals.sum) / count);
  distribution.set_p50(quantile(500'000));
  distribution.set_p90(quantile(900'000));
  distribution.set_p99(quantile(990'000));
  distribution.set_p99_9(quantile(999'000));
  distribution.set_p99_99(quantile(999'900));
}

void WriteCounts(const RpcTotals& totals, summary_json::Counts& counts) {
  const auto count = [&](Outcome outcome) {
    return static_cast<double>(totals.outcomes[outcome].count);
  };
  counts.set_measured_successes(count(Outcome::kMeasuredSuccess));
  counts.set_measured_failures(count(Outcome::kMeasuredFailure));
  counts.set_warmup_successes(count(Outcome::kWarmupSuccess));
  counts.set_warmup_failures(count(Outcome::kWarmupFailure));
  counts.set_cancelled(static_cast<double>(totals.cancelled));
  counts.set_abandoned(static_cast<double>(totals.abandoned));
  counts.set_samples_left_out(static_cast<double>(totals.samples_left_out));
}

void WriteOutcome(const OutcomeTotals& totals, const OutcomeHistograms* histograms,
                  summary_json::Outcome& outcome) {
  outcome.set_count(static_cast<double>(totals.count));
  outcome.set_request_bytes(static_cast<double>(totals.request_bytes));
  outcome.set_response_bytes(static_cast<double>(totals.response_bytes));
  outcome.set_first_start(Rfc3339(totals.first_start_ns));
  outcome.set_last_end(Rfc3339(totals.last_end_ns));
  if (histograms == nullptr) return;
  const auto has_values = [](const LogLinearHistogram& times) { return times.totals().count > 0; };
  if (has_values(histograms->service_time)) {
    WriteDistribution(histograms->service_time, *outcome.mutable_service_time_ns());
  }
  if (has_values(histograms->response_time)) {
    WriteDistribution(histograms->response_time, *outcome.mutable_response_time_ns());
  }
  if (has_values(histograms->lateness)) {
    WriteDistribution(histograms->lateness, *outcome.mutable_lateness_ns());
  }
}

double TotalSeconds(const RpcTotals& totals) {
  const OutcomeTotals& measured = totals.outcomes[Outcome::kMeasuredSuccess];
  if (measured.count == 0) return 0;
  const absl::int128 total_ns = absl::int128(measured.last_end_ns) - measured.first_start_ns;
  return static_cast<double>(total_ns) / 1e9;
}

}  // namespace distbench
