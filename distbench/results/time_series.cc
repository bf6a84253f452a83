#include "distbench/results/time_series.h"

#include <algorithm>
#include <utility>

#include "distbench/results/packed_buckets.h"

namespace distbench {
namespace {

// Elements that are added up for each that is added. If neighbours meet, n of them become n/2, and
// the n/4 that come meanwhile leave room.
constexpr int kCoarsenedPerAddition = 4;

}  // namespace

RowSpan RowSpanAt(int64_t since_start_ns, int doublings) {
  RowSpan span;
  span.doublings = doublings;
  const int64_t duration_ns = span.duration_ns();
  span.index = since_start_ns / duration_ns - (since_start_ns % duration_ns < 0 ? 1 : 0);
  return span;
}

void TimeSeriesRows::Add(const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
  if (counts.empty()) return;
  BecomeAsCoarseAs(span.doublings);
  AddPacked({.row = span.index >> (doublings_ - span.doublings), .rpc = rpc},
            {.totals = counts.totals, .service_times = PackBuckets(counts.service_times)});
  // Rows that are far apart do not meet for several doublings, but moving them is quick.
  const size_t most_bytes = budget_bytes_ + budget_bytes_ / 4;
  for (int i = 0; i < kCoarsenedPerAddition || size_bytes_ > most_bytes; ++i) {
    if (finer_rows_.empty()) {
      if (!MustCoarsen()) return;
      BeginCoarsening();
    }
    CoarsenOne();
  }
}

void TimeSeriesRows::Add(const TimeSeriesRows& other) {
  // Also where there are no rows of that duration yet, so that the order makes no difference.
  BecomeAsCoarseAs(other.doublings_);
  other.ForEach([this](const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
    Add(span, rpc, counts);
  });
}

void TimeSeriesRows::Settle() {
  while (true) {
    while (!finer_rows_.empty()) CoarsenOne();
    if (!MustCoarsen()) return;
    BeginCoarsening();
  }
}

bool TimeSeriesRows::MustCoarsen() const {
  return size_bytes_ > budget_bytes_ && doublings_ < RowSpan::kMaxDoublings;
}

void TimeSeriesRows::BecomeAsCoarseAs(int doublings) {
  while (doublings_ < doublings) {
    while (!finer_rows_.empty()) CoarsenOne();
    BeginCoarsening();
  }
}

// Requires: there are no finer rows.
void TimeSeriesRows::BeginCoarsening() {
  finer_rows_.swap(rows_);
  ++doublings_;
}

void TimeSeriesRows::CoarsenOne() {
  auto finer = finer_rows_.extract(finer_rows_.begin());
  size_bytes_ -= kElementBytes + finer.mapped().service_times.size();
  AddPacked({.row = finer.key().row >> 1, .rpc = finer.key().rpc}, std::move(finer.mapped()));
}

void TimeSeriesRows::AddPacked(const Key& key, PackedCounts&& packed) {
  const auto [element, is_new] = rows_.try_emplace(key);
  PackedCounts& into = element->second;
  if (is_new) {
    into = std::move(packed);
    size_bytes_ += kElementBytes;
  } else {
    RowCounts sum = Unpack(into);
    sum.Add(Unpack(packed));
    size_bytes_ -= into.service_times.size();
    into = {.totals = sum.totals, .service_times = PackBuckets(sum.service_times)};
  }
  size_bytes_ += into.service_times.size();
}

RowCounts TimeSeriesRows::Unpack(const PackedCounts& packed) {
  return {.totals = packed.totals, .service_times = UnpackBuckets(packed.service_times)};
}

}  // namespace distbench
