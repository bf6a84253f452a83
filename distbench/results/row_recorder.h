// RowRecorder: makes the rows of a time series out of counters that only grow.
//
//   RPCs end    ...x.xx..xx.x | xx..x...xx.xx | xx.x
//   row           closed      |   closed      | open
//   counters                base                so far
//
// Nothing is done for an RPC that ends within the open row. The first one that ends after it closes
// it: what was counted since the row before was closed is the row. An RPC that ends before the open
// row, because it was handed over late, is added to the row that it belongs to and to the base, so
// that it is missing from the open row: rows depend on what was recorded, not on its order.
//
// What was recorded before the start is known counts as the second before it.
// Not thread-safe.
#ifndef DISTBENCH_RESULTS_ROW_RECORDER_H_
#define DISTBENCH_RESULTS_ROW_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "distbench/base/indices.h"
#include "distbench/base/strong_index.h"
#include "distbench/results/row_counts.h"
#include "distbench/results/time_series.h"

namespace distbench {

// What has been counted of each kind of RPC.
using CountsByRpc = IndexedVector<RpcIndex, RowCounts>;

class RowRecorder {
 public:
  explicit RowRecorder(size_t rpc_count, size_t budget_bytes = TimeSeriesRows::kBudgetBytes)
      : base_(rpc_count), closed_(budget_bytes) {}

  // Tells when the traffic starts; at most once. Times are of one clock. There are no rows before.
  void Start(int64_t traffic_start_ns);
  bool has_started() const { return traffic_start_ns_.has_value(); }

  // Whether an RPC that ended then is not in the open row. Must be asked before the RPC is counted;
  // if so, one of the next two is to be called, also before. False as long as not has_started(),
  // but for the greatest of all times.
  bool IsOutside(int64_t end_ns) const {
    return static_cast<uint64_t>(end_ns) - open_begin_ns_ >= open_duration_ns_;
  }
  bool IsBefore(int64_t end_ns) const { return end_ns < static_cast<int64_t>(open_begin_ns_); }

  // Closes the open row and opens that of `end_ns`. Requires: IsOutside(end_ns) and not IsBefore().
  void Advance(int64_t end_ns, CountsByRpc so_far);

  // Adds one RPC, which the counters do not know yet. Requires: IsBefore(end_ns).
  void AddLate(int64_t end_ns, RpcIndex rpc, const RowCounts& counts);

  // Adds all rows, the open one included.
  void AddTo(const CountsByRpc& so_far, TimeSeriesRows* rows) const;

 private:
  void Open(const RowSpan& span);
  void AddOpenRow(const CountsByRpc& so_far, TimeSeriesRows* rows) const;
  void AddLateRows(TimeSeriesRows* rows) const;

  std::optional<int64_t> traffic_start_ns_;
  // Unsigned, so that one comparison finds what is before the row and what is after it.
  uint64_t open_begin_ns_ = static_cast<uint64_t>(std::numeric_limits<int64_t>::min());
  uint64_t open_duration_ns_ = std::numeric_limits<uint64_t>::max();
  RowSpan open_;
  CountsByRpc base_;
  TimeSeriesRows closed_;
  std::map<std::pair<RowSpan, RpcIndex>, RowCounts> late_;  // since the open row began
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_ROW_RECORDER_H_
