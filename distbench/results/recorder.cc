#include "distbench/results/recorder.h"

#include <algorithm>
#include <utility>

#include "distbench/results/row_counts.h"
#include "distbench/results/shard_log.h"
#include "distbench/results/time_series.h"
#include "distbench/results/traffic_counts.h"
#include "glog/logging.h"

namespace distbench {
namespace {

Sample ToSample(const RpcRecord& record, uint32_t pair, uint16_t error) {
  return {
      .start_ns = record.start_ns,
      .latency_ns = record.end_ns - record.start_ns,
      .latency_weight_ns = record.latency_weight_ns,
      .request_bytes = record.request_bytes,
      .response_bytes = record.response_bytes,
      .pair = pair,
      .error = error,
      .warmup = record.warmup,
  };
}

void RecordTimes(const RpcRecord& record, OutcomeHistograms& histograms) {
  histograms.service_time.Record(record.end_ns - record.start_ns);
  if (!record.open_loop) return;
  histograms.response_time.Record(record.end_ns - record.intended_start_ns);
  histograms.lateness.Record(record.start_ns - record.intended_start_ns);
}

// A single RPC, as a row counts it.
RowCounts RowCountsOf(const RpcRecord& record, Outcome outcome) {
  RowCounts counts;
  RowTotals& totals = counts.totals;
  if (outcome == Outcome::kMeasuredSuccess) {
    const int64_t service_time_ns = record.end_ns - record.start_ns;
    totals.measured_successes = 1;
    totals.request_bytes = record.request_bytes;
    totals.response_bytes = record.response_bytes;
    totals.service_time_sum_ns = static_cast<uint64_t>(std::max<int64_t>(service_time_ns, 0));
    counts.service_times.push_back(RowBucketOf(service_time_ns));
  } else if (outcome == Outcome::kWarmupSuccess) {
    totals.warmup_successes = 1;
  } else {
    totals.failures = 1;
  }
  return counts;
}

}  // namespace

Recorder::Recorder(RecorderOptions options)
    : log_(std::make_unique<ShardLog>(std::move(options.plan), options.self, options.max_samples,
                                      options.sample_store)) {}

Recorder::~Recorder() = default;

bool Recorder::KeepSpecialSample(const RpcRecord& record, const Sample& sample) {
  if (!record.is_limited) return log_->samples.AppendTraced(sample, *record.trace);
  std::optional<SampleReservoir>& reservoir = log_->reservoirs[record.list];
  CHECK(reservoir.has_value());
  reservoir->Offer(record.sample_priority, sample, record.trace);
  return false;
}

void Recorder::RecordFinished(const RpcRecord& record, uint16_t error) {
  const Outcome outcome = OutcomeOf(error != 0, record.warmup);
  if (log_->rows.IsOutside(record.end_ns)) [[unlikely]] {
    LeaveRow(record, outcome);
  }
  const uint32_t position = log_->PairPosition(record.rpc, record.server);
  PairLog& pair = log_->pairs[position];
  RpcTotals& totals = pair.totals;
  totals.outcomes[outcome].Add({
      .start_ns = record.start_ns,
      .end_ns = std::max(record.start_ns, record.end_ns),
      .request_bytes = record.request_bytes,
      .response_bytes = record.response_bytes,
  });
  if (error != 0) ++totals.error_counts[error];
  if (outcome == Outcome::kMeasuredSuccess) {
    pair.service_time.Record(record.end_ns - record.start_ns);
  }
  RecordTimes(record, log_->histograms[record.rpc].Get(outcome, log_->slab));
  const Sample sample = ToSample(record, position, error);
  const bool is_plain = !record.is_limited && record.trace == nullptr;
  const bool is_kept = is_plain ? log_->samples.Append(sample) : KeepSpecialSample(record, sample);
  if (!is_kept) ++totals.samples_left_out;
}

void Recorder::LeaveRow(const RpcRecord& record, Outcome outcome) {
  RowRecorder& rows = log_->rows;
  if (!rows.has_started()) return;
  if (rows.IsBefore(record.end_ns)) {
    rows.AddLate(record.end_ns, record.rpc, RowCountsOf(record, outcome));
  } else {
    rows.Advance(record.end_ns, log_->CountsSoFar());
  }
}

void Recorder::StartRows(int64_t traffic_start_ns) { log_->rows.Start(traffic_start_ns); }

void Recorder::RecordSuccess(const RpcRecord& record) { RecordFinished(record, 0); }

void Recorder::RecordFailure(const RpcRecord& record, absl::string_view error) {
  RecordFinished(record, log_->errors.Number(error));
}

void Recorder::RecordCancelled(RpcIndex rpc, InstanceIndex server) {
  ++log_->pairs[log_->PairPosition(rpc, server)].totals.cancelled;
}

void Recorder::RecordAbandoned(RpcIndex rpc, InstanceIndex server) {
  ++log_->pairs[log_->PairPosition(rpc, server)].totals.abandoned;
}

void Recorder::RecordIteration(const IterationRecord& record) {
  const std::pair place(record.list, record.action);
  IterationTimes& times = log_->iterations.try_emplace(place, log_->slab).first->second;
  times.service_time.Record(record.end_ns - record.start_ns);
  if (record.open_loop) times.response_time.Record(record.end_ns - record.intended_start_ns);
}

ReplayRecorder& Recorder::replays() { return log_->replays; }

size_t Recorder::HistogramBytes() const { return log_->slab.bytes() + log_->peer_pool.bytes(); }

void Recorder::AddTo(TrafficCounts* counts) const {
  for (const PairLog& pair : log_->pairs) counts->Add(pair.rpc, pair.totals.outcomes);
  for (size_t i = 0; i < log_->histograms.size(); ++i) {
    const RpcIndex rpc(i);
    const OutcomeHistograms* recorded = log_->histograms[rpc].Find(Outcome::kMeasuredSuccess);
    if (recorded != nullptr) counts->AddServiceTimes(rpc, recorded->service_time);
  }
}

void Recorder::AddTo(TimeSeriesRows* rows) const { log_->rows.AddTo(log_->CountsSoFar(), rows); }

}  // namespace distbench
