#include "distbench/results/replay_recorder.h"

#include <algorithm>

namespace distbench {

ReplayRunLog* ReplayRecorder::BeginRun(const ReplayRunStart& start) {
  Runs& runs = runs_[start.trace];
  ++runs.begun;
  const size_t room = samples_expected_ < kMaxSamples ? kMaxSamples - samples_expected_ : 0;
  if (!logs_.empty() && start.rpcs + 1 > room) {
    ++runs.left_out;
    return nullptr;
  }
  samples_expected_ += start.rpcs + 1;
  ReplayRunLog& log = logs_.emplace_back();
  log.trace = start.trace;
  log.start_ns = start.start_ns;
  log.warmup = start.warmup;
  if (start.cause != nullptr) log.cause = std::make_unique<const TracePath>(*start.cause);
  return &log;
}

void ReplayRecorder::RecordFinished(const ReplayedRpc& rpc, uint16_t error, ReplayRunLog* log) {
  const Outcome outcome = OutcomeOf(error != 0, rpc.warmup);
  RpcTotals& totals = totals_[{rpc.trace, rpc.server}];
  totals.outcomes[outcome].Add({.start_ns = rpc.start_ns,
                                .end_ns = std::max(rpc.start_ns, rpc.end_ns),
                                .request_bytes = rpc.request_bytes,
                                .response_bytes = rpc.response_bytes});
  if (error != 0) ++totals.error_counts[error];
  OutcomeHistograms& times = runs_[rpc.trace].histograms.Get(outcome, slab_);
  times.service_time.Record(rpc.end_ns - rpc.start_ns);
  times.response_time.Record(rpc.end_ns - rpc.intended_start_ns);
  times.lateness.Record(rpc.start_ns - rpc.intended_start_ns);
  if (log == nullptr) {
    ++totals.samples_left_out;
    return;
  }
  log->samples.push_back({.record = rpc.record,
                          .error = error,
                          .server_instance = rpc.server_instance,
                          .start_ns = rpc.start_ns - log->start_ns,
                          .latency_ns = rpc.end_ns - rpc.start_ns,
                          .request_bytes = rpc.request_bytes,
                          .response_bytes = rpc.response_bytes});
}

void ReplayRecorder::RecordCancelled(TraceIndex trace, InstanceIndex server) {
  ++totals_[{trace, server}].cancelled;
}

void ReplayRecorder::RecordAbandoned(TraceIndex trace, InstanceIndex server) {
  ++totals_[{trace, server}].abandoned;
}

}  // namespace distbench
