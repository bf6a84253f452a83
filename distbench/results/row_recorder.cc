#include "distbench/results/row_recorder.h"

namespace distbench {
namespace {

bool SameNumbers(const RowTotals& a, const RowTotals& b) {
  return a.measured_successes == b.measured_successes && a.failures == b.failures &&
         a.warmup_successes == b.warmup_successes;
}

}  // namespace

void RowRecorder::Start(int64_t traffic_start_ns) {
  traffic_start_ns_ = traffic_start_ns;
  Open({.doublings = 0, .index = -1});
}

void RowRecorder::Open(const RowSpan& span) {
  open_ = span;
  open_duration_ns_ = static_cast<uint64_t>(span.duration_ns());
  open_begin_ns_ = static_cast<uint64_t>(*traffic_start_ns_) +
                   static_cast<uint64_t>(span.index) * open_duration_ns_;
}

void RowRecorder::Advance(int64_t end_ns, CountsByRpc so_far) {
  AddLateRows(&closed_);
  late_.clear();
  AddOpenRow(so_far, &closed_);
  base_ = std::move(so_far);
  Open(RowSpanAt(end_ns - *traffic_start_ns_, closed_.doublings()));
}

void RowRecorder::AddLate(int64_t end_ns, RpcIndex rpc, const RowCounts& counts) {
  const RowSpan span = RowSpanAt(end_ns - *traffic_start_ns_, open_.doublings);
  late_[{span, rpc}].Add(counts);
  base_[rpc].Add(counts);
}

void RowRecorder::AddTo(const CountsByRpc& so_far, TimeSeriesRows* rows) const {
  if (!has_started()) return;
  rows->Add(closed_);
  AddLateRows(rows);
  AddOpenRow(so_far, rows);
}

void RowRecorder::AddLateRows(TimeSeriesRows* rows) const {
  for (const auto& [place, counts] : late_) rows->Add(place.first, place.second, counts);
}

void RowRecorder::AddOpenRow(const CountsByRpc& so_far, TimeSeriesRows* rows) const {
  for (size_t i = 0; i < so_far.size(); ++i) {
    const RpcIndex rpc(i);
    if (SameNumbers(so_far[rpc].totals, base_[rpc].totals)) continue;
    rows->Add(open_, rpc, so_far[rpc].Since(base_[rpc]));
  }
}

}  // namespace distbench
