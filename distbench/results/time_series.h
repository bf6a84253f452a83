// TimeSeriesRows: how many RPCs of each kind ended in each second of a test, in rows that add up.
//
// A row covers a second, or that times a power of two, counted from the traffic's start. There is a
// budget of memory: when the rows need more, each two neighbours become one of twice the duration,
//
//   index      -2 -1  0  1  2  3  4  5  6
//   doubled    [-1 ]  [0 ]  [1 ]  [2 ]  [3
//
// as often as it takes. The work is spread over the additions that follow, so that none of them
// holds up its thread; meanwhile the rows take up to a quarter more.
//
// What the rows come to depends on what was added, not on its order nor on who had added it up
// before, as long as all have the same budget: a part of a sum never needs more bytes than the sum,
// so whoever makes rows coarser does what the whole would have needed in any case.
// Not thread-safe.
#ifndef DISTBENCH_RESULTS_TIME_SERIES_H_
#define DISTBENCH_RESULTS_TIME_SERIES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "distbench/base/indices.h"
#include "distbench/results/row_counts.h"

namespace distbench {

// The times from `index` to `index` + 1 times 2^doublings seconds after the traffic's start.
struct RowSpan {
  static constexpr int64_t kLeastDurationNs = 1'000'000'000;
  static constexpr int kMaxDoublings = 33;  // the duration stays an int64_t

  int doublings = 0;  // 0 to kMaxDoublings
  int64_t index = 0;

  int64_t duration_ns() const { return kLeastDurationNs << doublings; }

  friend auto operator<=>(const RowSpan&, const RowSpan&) = default;
};

// The row to which a moment belongs.
RowSpan RowSpanAt(int64_t since_start_ns, int doublings);

class TimeSeriesRows {
 public:
  static constexpr size_t kBudgetBytes = size_t{4} << 20;

  explicit TimeSeriesRows(size_t budget_bytes = kBudgetBytes) : budget_bytes_(budget_bytes) {}

  // Adds to the row of that span, or to the coarser one that it is part of. A span that is coarser
  // than the rows makes them so.
  void Add(const RowSpan& span, RpcIndex rpc, const RowCounts& counts);
  void Add(const TimeSeriesRows& other);

  // Does what is left of the work to keep the budget. Only then are all rows of the same duration.
  void Settle();

  // Of the rows, once they are settled. Rows do not become finer.
  int doublings() const { return doublings_; }
  bool empty() const { return rows_.empty() && finer_rows_.empty(); }

  // What the rows take: once they are settled at most the budget, unless they are as coarse as can
  // be. Then what can be told in ns is in four rows at most.
  size_t size_bytes() const { return size_bytes_; }

  // Calls `visit(const RowSpan&, RpcIndex, const RowCounts&)` for all rows, in the order of their
  // spans and of RPCs within. Kinds of RPCs of which there was none are left out.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto& [key, packed] : finer_rows_) {
      visit(RowSpan{doublings_ - 1, key.row}, key.rpc, Unpack(packed));
    }
    for (const auto& [key, packed] : rows_) {
      visit(RowSpan{doublings_, key.row}, key.rpc, Unpack(packed));
    }
  }

 private:
  struct Key {
    int64_t row = 0;
    RpcIndex rpc;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct PackedCounts {
    RowTotals totals;
    std::string service_times;  // see packed_buckets.h
  };
  using Rows = std::map<Key, PackedCounts>;

  // A PackedCounts as an element of a map, and what the allocator adds.
  static constexpr size_t kElementBytes = 176;

  static RowCounts Unpack(const PackedCounts& packed);
  void AddPacked(const Key& key, PackedCounts&& packed);
  void BecomeAsCoarseAs(int doublings);
  void BeginCoarsening();
  void CoarsenOne();
  bool MustCoarsen() const;

  const size_t budget_bytes_;
  int doublings_ = 0;
  size_t size_bytes_ = 0;
  Rows rows_;
  Rows finer_rows_;  // of doublings_ - 1, still to be added up
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TIME_SERIES_H_
