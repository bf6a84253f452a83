#include "distbench/export/summary_figures.h"

#include <string>

#include "absl/numeric/int128.h"
#include "absl/time/time.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

// Absent without values.
void WriteIfAny(const LogLinearHistogram& histogram,
                summary_json::Distribution* (summary_json::Outcome::*mutate)(),
                summary_json::Outcome& outcome) {
  if (histogram.totals().count > 0) WriteDistribution(histogram, *(outcome.*mutate)());
}

std::string Rfc3339(int64_t timestamp_ns) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E9SZ", absl::FromUnixNanos(timestamp_ns),
                          absl::UTCTimeZone());
}

}  // namespace

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

void WriteDistribution(const LogLinearHistogram& histogram, summary_json::Distribution& message) {
  const LogLinearHistogram::Totals& totals = histogram.totals();
  const auto quantile = [&](uint32_t parts_per_million) {
    return static_cast<double>(histogram.Quantile(parts_per_million));
  };
  const auto count = static_cast<double>(totals.count);
  message.set_count(count);
  message.set_min(static_cast<double>(totals.min));
  message.set_max(static_cast<double>(totals.max));
  message.set_mean(static_cast<double>(totals.sum) / count);
  message.set_p50(quantile(500'000));
  message.set_p90(quantile(900'000));
  message.set_p99(quantile(990'000));
  message.set_p99_9(quantile(999'000));
  message.set_p99_99(quantile(999'900));
}

void WriteOutcome(const OutcomeTotals& totals, const OutcomeHistograms* histograms,
                  summary_json::Outcome& outcome) {
  using JsonOutcome = summary_json::Outcome;
  outcome.set_count(static_cast<double>(totals.count));
  outcome.set_request_bytes(static_cast<double>(totals.request_bytes));
  outcome.set_response_bytes(static_cast<double>(totals.response_bytes));
  outcome.set_first_start(Rfc3339(totals.first_start_ns));
  outcome.set_last_end(Rfc3339(totals.last_end_ns));
  if (histograms == nullptr) return;
  WriteIfAny(histograms->service_time, &JsonOutcome::mutable_service_time_ns, outcome);
  WriteIfAny(histograms->response_time, &JsonOutcome::mutable_response_time_ns, outcome);
  WriteIfAny(histograms->lateness, &JsonOutcome::mutable_lateness_ns, outcome);
}

double TotalSeconds(const RpcTotals& totals) {
  const OutcomeTotals& measured = totals.outcomes[Outcome::kMeasuredSuccess];
  if (measured.count == 0) return 0;
  const absl::int128 total_ns = absl::int128(measured.last_end_ns) - measured.first_start_ns;
  return static_cast<double>(total_ns) / 1e9;
}

}  // namespace distbench
