// RowCounts: RPCs of one kind that ended within some time, as far as a row of a time series tells
// of them.
//
// Service times are kept in the buckets of kRowLayout: each is known to 0.4 %, that is by the
// middle of its bucket. The layout of LogLinearHistogram divides each of these buckets without
// remainder, so that counts can be taken over from there, added up and subtracted without loss.
// Pure.
#ifndef DISTBENCH_RESULTS_ROW_COUNTS_H_
#define DISTBENCH_RESULTS_ROW_COUNTS_H_

#include <cstdint>
#include <vector>

#include "absl/numeric/int128.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_layout.h"

namespace distbench {

inline constexpr HistogramLayout kRowLayout{7};

struct RowBucket {
  uint32_t index = 0;  // in kRowLayout
  uint64_t count = 0;

  friend bool operator==(const RowBucket&, const RowBucket&) = default;
};

struct RowTotals {
  int64_t measured_successes = 0;
  int64_t failures = 0;  // warmup or not
  int64_t warmup_successes = 0;
  // Of measured successes.
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
  absl::uint128 service_time_sum_ns = 0;

  // Sums that would overflow stay at the greatest value.
  void Add(const RowTotals& other);

  friend bool operator==(const RowTotals&, const RowTotals&) = default;
};

struct RowCounts {
  RowTotals totals;
  std::vector<RowBucket> service_times;  // of measured successes; ascending, none is empty

  bool empty() const { return totals == RowTotals(); }
  void Add(const RowCounts& other);

  // What was added since `earlier`. Requires: `earlier` and something more make up this.
  RowCounts Since(const RowCounts& earlier) const;

  friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

std::vector<RowBucket> RowBucketsOf(const LogLinearHistogram& histogram);

// The bucket of one value. A negative one counts as 0, as in LogLinearHistogram.
RowBucket RowBucketOf(int64_t value);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_ROW_COUNTS_H_
