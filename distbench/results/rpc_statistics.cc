#include "distbench/results/rpc_statistics.h"

#include <cstdint>
#include <limits>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram_proto.h"
#include "protos/statistics.pb.h"

namespace distbench {
namespace {

// Where the message keeps an outcome.
struct OutcomeField {
  const char* name;
  Outcome outcome;
  bool (RpcStatistics::*has)() const;
  const OutcomeStatistics& (RpcStatistics::*get)() const;
  OutcomeStatistics* (RpcStatistics::*mutate)();
};

constexpr OutcomeField kOutcomeFields[] = {
    {"measured_success", Outcome::kMeasuredSuccess, &RpcStatistics::has_measured_success,
     &RpcStatistics::measured_success, &RpcStatistics::mutable_measured_success},
    {"measured_failure", Outcome::kMeasuredFailure, &RpcStatistics::has_measured_failure,
     &RpcStatistics::measured_failure, &RpcStatistics::mutable_measured_failure},
    {"warmup_success", Outcome::kWarmupSuccess, &RpcStatistics::has_warmup_success,
     &RpcStatistics::warmup_success, &RpcStatistics::mutable_warmup_success},
    {"warmup_failure", Outcome::kWarmupFailure, &RpcStatistics::has_warmup_failure,
     &RpcStatistics::warmup_failure, &RpcStatistics::mutable_warmup_failure},
};

absl::Status CheckRange(absl::string_view field, int64_t value, int64_t max) {
  if (value >= 0 && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, " is ", value, "; it must be 0 to ", max));
}

absl::Status Within(absl::string_view field, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(field, ".", status.message()));
}

// Requires: first start and last end are present and in order.
absl::Status CheckLastStart(const OutcomeStatistics& message) {
  if (!message.has_last_start_timestamp_ns()) return absl::OkStatus();
  const int64_t last_start_ns = message.last_start_timestamp_ns();
  if (last_start_ns >= message.first_start_timestamp_ns() &&
      last_start_ns <= message.last_end_timestamp_ns()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "last_start_timestamp_ns is ", last_start_ns, "; it must be between the first start, ",
      message.first_start_timestamp_ns(), ", and the last end, ", message.last_end_timestamp_ns()));
}

absl::Status ReadOutcome(const OutcomeStatistics& message, OutcomeTotals& totals) {
  constexpr int64_t kMaxBytes = std::numeric_limits<int64_t>::max();
  RETURN_IF_ERROR(CheckRange("count", message.count(), kMaxMessageCount));
  RETURN_IF_ERROR(CheckRange("request_bytes", message.request_bytes(), kMaxBytes));
  RETURN_IF_ERROR(CheckRange("response_bytes", message.response_bytes(), kMaxBytes));
  if (message.count() == 0) return absl::OkStatus();
  if (!message.has_first_start_timestamp_ns() || !message.has_last_end_timestamp_ns() ||
      message.first_start_timestamp_ns() > message.last_end_timestamp_ns()) {
    return absl::InvalidArgumentError(
        absl::StrCat("first_start_timestamp_ns is ", message.first_start_timestamp_ns(),
                     " and last_end_timestamp_ns is ", message.last_end_timestamp_ns(),
                     "; both must be present and in order"));
  }
  RETURN_IF_ERROR(CheckLastStart(message));
  totals.Merge({
      .count = message.count(),
      .request_bytes = message.request_bytes(),
      .response_bytes = message.response_bytes(),
      .first_start_ns = message.first_start_timestamp_ns(),
      .last_start_ns = message.has_last_start_timestamp_ns() ? message.last_start_timestamp_ns()
                                                             : OutcomeTotals::kUnknownStartNs,
      .last_end_ns = message.last_end_timestamp_ns(),
  });
  return absl::OkStatus();
}

// Each failure has one error.
absl::Status CheckErrors(const RpcStatistics& message, const RpcTotals& totals) {
  const int64_t failures = totals.outcomes[Outcome::kMeasuredFailure].count +
                           totals.outcomes[Outcome::kWarmupFailure].count;
  int64_t unexplained = failures;
  for (const ErrorCount& error : message.errors()) {
    RETURN_IF_ERROR(CheckRange("errors.count", error.count(), unexplained));
    unexplained -= error.count();
  }
  if (unexplained == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("errors add up to ", failures - unexplained,
                                                 "; they must add up to the failures, ", failures));
}

void WriteIfAny(const LogLinearHistogram& histogram, Histogram* (OutcomeStatistics::*mutate)(),
                OutcomeStatistics& message) {
  if (histogram.totals().count > 0) WriteHistogram(histogram, *(message.*mutate)());
}

absl::Status CheckHistogram(const Histogram& message, int64_t max_count) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  RETURN_IF_ERROR(MergeHistogram(message, histogram));
  return CheckRange("count", message.count(), max_count);
}

absl::Status CheckOutcomeHistograms(const OutcomeStatistics& outcome) {
  RETURN_IF_ERROR(
      Within("service_time_ns", CheckHistogram(outcome.service_time_ns(), outcome.count())));
  RETURN_IF_ERROR(
      Within("response_time_ns", CheckHistogram(outcome.response_time_ns(), outcome.count())));
  RETURN_IF_ERROR(Within("lateness_ns", CheckHistogram(outcome.lateness_ns(), outcome.count())));
  if (outcome.service_time_ns().count() == outcome.count()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("service_time_ns.count is ",
                                                 outcome.service_time_ns().count(), "; it must be ",
                                                 outcome.count(), ", the RPCs counted"));
}

}  // namespace

void WriteTotals(const RpcTotals& totals, const WallAnchor& anchor, RpcStatistics& message) {
  for (const OutcomeField& field : kOutcomeFields) {
    const OutcomeTotals& from = totals.outcomes[field.outcome];
    if (from.count == 0) continue;
    OutcomeStatistics& to = *(message.*field.mutate)();
    to.set_count(from.count);
    to.set_request_bytes(from.request_bytes);
    to.set_response_bytes(from.response_bytes);
    to.set_first_start_timestamp_ns(anchor.ToWallNs(from.first_start_ns));
    to.set_last_end_timestamp_ns(anchor.ToWallNs(from.last_end_ns));
    if (from.last_start_ns != OutcomeTotals::kUnknownStartNs) {
      to.set_last_start_timestamp_ns(anchor.ToWallNs(from.last_start_ns));
    }
  }
  if (totals.cancelled != 0) message.set_cancelled(totals.cancelled);
  if (totals.abandoned != 0) message.set_abandoned(totals.abandoned);
  if (totals.samples_left_out != 0) message.set_samples_left_out(totals.samples_left_out);
  const std::map<int32_t, int64_t> by_index(totals.error_counts.begin(), totals.error_counts.end());
  for (const auto& [index, count] : by_index) {
    ErrorCount& error = *message.add_errors();
    error.set_error_index(index);
    error.set_count(count);
  }
}

void WriteHistograms(const RpcHistograms& histograms, RpcStatistics& message) {
  for (const OutcomeField& field : kOutcomeFields) {
    const OutcomeHistograms* from = histograms.Find(field.outcome);
    if (from == nullptr) continue;
    OutcomeStatistics& to = *(message.*field.mutate)();
    WriteIfAny(from->service_time, &OutcomeStatistics::mutable_service_time_ns, to);
    WriteIfAny(from->response_time, &OutcomeStatistics::mutable_response_time_ns, to);
    WriteIfAny(from->lateness, &OutcomeStatistics::mutable_lateness_ns, to);
  }
}

void WritePeerHistogram(const PeerHistogram& service_time, RpcStatistics& message) {
  if (service_time.totals().count == 0) return;
  WriteHistogram(service_time, *message.mutable_measured_success()->mutable_service_time_ns());
}

absl::Status ReadTotals(const RpcStatistics& message, RpcTotals& totals) {
  RpcTotals read;
  for (const OutcomeField& field : kOutcomeFields) {
    const OutcomeStatistics& outcome = (message.*field.get)();
    RETURN_IF_ERROR(Within(field.name, ReadOutcome(outcome, read.outcomes[field.outcome])));
  }
  RETURN_IF_ERROR(CheckRange("cancelled", message.cancelled(), kMaxMessageCount));
  RETURN_IF_ERROR(CheckRange("abandoned", message.abandoned(), kMaxMessageCount));
  RETURN_IF_ERROR(CheckRange("samples_left_out", message.samples_left_out(), kMaxMessageCount));
  read.cancelled = message.cancelled();
  read.abandoned = message.abandoned();
  read.samples_left_out = message.samples_left_out();
  RETURN_IF_ERROR(CheckErrors(message, read));
  totals.MergeCounters(read);
  for (const ErrorCount& error : message.errors()) {
    AddSaturating(error.count(), totals.error_counts[error.error_index()]);
  }
  return absl::OkStatus();
}

absl::Status CheckHistograms(const RpcStatistics& message) {
  for (const OutcomeField& field : kOutcomeFields) {
    if (!(message.*field.has)()) continue;
    RETURN_IF_ERROR(Within(field.name, CheckOutcomeHistograms((message.*field.get)())));
  }
  return absl::OkStatus();
}

absl::Status CheckPeerHistogram(const RpcStatistics& message) {
  const OutcomeStatistics& successes = message.measured_success();
  if (!successes.has_service_time_ns()) return absl::OkStatus();
  return Within("measured_success", CheckOutcomeHistograms(successes));
}

}  // namespace distbench
