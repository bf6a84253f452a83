#include "distbench/results/traffic_counts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram_proto.h"
#include "protos/progress.pb.h"

namespace distbench {
namespace {

absl::Status CheckNotNegative(const RpcCounts& rpc, const char* field, int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("TrafficProgress.rpcs of index ", rpc.rpc_index(),
                                                 ": ", field, " is ", value,
                                                 "; expected 0 or more"));
}

absl::Status Check(const RpcCounts& rpc) {
  RETURN_IF_ERROR(CheckNotNegative(rpc, "rpc_index", rpc.rpc_index()));
  RETURN_IF_ERROR(CheckNotNegative(rpc, "measured_successes", rpc.measured_successes()));
  RETURN_IF_ERROR(CheckNotNegative(rpc, "failures", rpc.failures()));
  RETURN_IF_ERROR(CheckNotNegative(rpc, "warmup_successes", rpc.warmup_successes()));
  RETURN_IF_ERROR(CheckNotNegative(rpc, "request_bytes", rpc.request_bytes()));
  RETURN_IF_ERROR(CheckNotNegative(rpc, "response_bytes", rpc.response_bytes()));
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  return MergeHistogram(rpc.service_time_ns(), histogram);
}

}  // namespace

void TrafficCounts::Add(RpcIndex rpc, const PerOutcome<OutcomeTotals>& outcomes) {
  absl::MutexLock lock(&mutex_);
  Rpc& into = Of(rpc.value());
  for (const Outcome outcome : kOutcomes) into.outcomes[outcome].Merge(outcomes[outcome]);
}

void TrafficCounts::AddServiceTimes(RpcIndex rpc, const LogLinearHistogram& measured_successes) {
  absl::MutexLock lock(&mutex_);
  Of(rpc.value()).service_time.Merge(measured_successes);
}

void TrafficCounts::AddOutstanding(int64_t rpcs) {
  absl::MutexLock lock(&mutex_);
  outstanding_ += rpcs;
}

absl::Status TrafficCounts::Add(const TrafficProgress& progress) {
  for (const RpcCounts& rpc : progress.rpcs()) RETURN_IF_ERROR(Check(rpc));
  absl::MutexLock lock(&mutex_);
  for (const RpcCounts& rpc : progress.rpcs()) Add(rpc);
  AddSaturating(std::max<int64_t>(progress.outstanding_rpcs(), 0), outstanding_);
  return absl::OkStatus();
}

void TrafficCounts::Add(const RpcCounts& from) {
  Rpc& rpc = Of(static_cast<uint32_t>(from.rpc_index()));
  OutcomeTotals successes;
  successes.count = from.measured_successes();
  successes.request_bytes = from.request_bytes();
  successes.response_bytes = from.response_bytes();
  OutcomeTotals failures;
  failures.count = from.failures();
  OutcomeTotals warmup;
  warmup.count = from.warmup_successes();
  rpc.outcomes[Outcome::kMeasuredSuccess].Merge(successes);
  rpc.outcomes[Outcome::kMeasuredFailure].Merge(failures);
  rpc.outcomes[Outcome::kWarmupSuccess].Merge(warmup);
  // Was checked.
  MergeHistogram(from.service_time_ns(), rpc.service_time).IgnoreError();
}

TrafficProgress TrafficCounts::ToProgress() const {
  absl::MutexLock lock(&mutex_);
  TrafficProgress progress;
  for (const auto& [index, rpc] : rpcs_) {
    const OutcomeTotals& successes = rpc.outcomes[Outcome::kMeasuredSuccess];
    RpcCounts& message = *progress.add_rpcs();
    message.set_rpc_index(static_cast<int32_t>(index));
    message.set_measured_successes(successes.count);
    message.set_failures(rpc.outcomes[Outcome::kMeasuredFailure].count +
                         rpc.outcomes[Outcome::kWarmupFailure].count);
    message.set_warmup_successes(rpc.outcomes[Outcome::kWarmupSuccess].count);
    message.set_request_bytes(successes.request_bytes);
    message.set_response_bytes(successes.response_bytes);
    WriteHistogram(rpc.service_time, *message.mutable_service_time_ns());
  }
  progress.set_outstanding_rpcs(outstanding_);
  return progress;
}

}  // namespace distbench
