// LogLinearHistogram: counts of int64 values, cheap to record, exact to merge.
//
// A value is known to within 2^-9 (0.2 %) of itself, values below 512 exactly; count, sum, least
// and greatest value are exact. One page of counts holds one magnitude (a factor of two) and is
// taken from a slab the first time a value of that magnitude is seen, so a histogram costs memory
// only where its values lie: 4 KiB a magnitude, 220 KiB at most.
//
// A negative value counts as 0, in its bucket and in the sum; min() and max() show it as it is.
//
// Not thread-safe.
#ifndef DISTBENCH_RESULTS_HISTOGRAM_H_
#define DISTBENCH_RESULTS_HISTOGRAM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/numeric/int128.h"
#include "distbench/results/histogram_layout.h"

namespace distbench {

// Where histograms take their pages from. Pages live as long as the slab, which allocates them in
// growing chunks. Not thread-safe.
class HistogramPageSlab {
 public:
  static constexpr HistogramLayout kLayout{9};
  using Page = std::array<uint64_t, size_t{1} << kLayout.sub_bucket_bits()>;

  // A page of zeros.
  Page* Take();

  size_t bytes() const { return pages_ * sizeof(Page); }  // taken from the allocator

 private:
  std::vector<std::unique_ptr<Page[]>> chunks_;
  size_t pages_ = 0;        // in all chunks
  size_t chunk_pages_ = 0;  // in the last chunk
  size_t free_pages_ = 0;   // of those
};

class LogLinearHistogram {
 public:
  static constexpr HistogramLayout kLayout = HistogramPageSlab::kLayout;

  // What is exact. `min` and `max` have a meaning if count > 0.
  struct Totals {
    uint64_t count = 0;
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    absl::uint128 sum = 0;

    void Add(int64_t value) {
      ++count;
      min = std::min(min, value);
      max = std::max(max, value);
      sum += static_cast<uint64_t>(std::max<int64_t>(value, 0));
    }
    void Merge(const Totals& other) {
      count += other.count;
      min = std::min(min, other.min);
      max = std::max(max, other.max);
      sum += other.sum;
    }
  };
  struct CountedValue {
    int64_t value = 0;  // >= 0
    uint64_t count = 0;
  };

  // `slab` outlives the histogram.
  explicit LogLinearHistogram(HistogramPageSlab& slab) : slab_(slab) {}
  LogLinearHistogram(const LogLinearHistogram&) = delete;
  LogLinearHistogram& operator=(const LogLinearHistogram&) = delete;

  void Record(int64_t value) {
    ++Count(kLayout.Index(static_cast<uint64_t>(std::max<int64_t>(value, 0))));
    totals_.Add(value);
  }

  // As if everything that `other` recorded had been recorded here.
  void Merge(const LogLinearHistogram& other);

  // Adds values of which only approximations are known, with their exact totals. Requires: the
  // counts add up to totals.count.
  void Add(const Totals& totals, const std::vector<CountedValue>& values);

  const Totals& totals() const { return totals_; }

  // The value at position floor(count * q) of the sorted values, q in parts per million, at most
  // the last one. It is the middle of its bucket, but never outside [min, max]. 0 without values.
  int64_t Quantile(uint32_t parts_per_million) const;

  // Calls `visit(uint32_t index, uint64_t count)` for the buckets that are not empty, in order.
  template <typename Visit>
  void ForEachBucket(Visit visit) const {
    for (uint32_t magnitude = 0; magnitude < kMagnitudes; ++magnitude) {
      if (pages_[magnitude] == nullptr) continue;
      for (uint32_t i = 0; i < kPageBuckets; ++i) {
        const uint64_t count = (*pages_[magnitude])[i];
        if (count != 0) visit(magnitude * kPageBuckets + i, count);
      }
    }
  }

 private:
  using Page = HistogramPageSlab::Page;
  static constexpr uint32_t kPageBuckets = uint32_t{1} << kLayout.sub_bucket_bits();
  static constexpr uint32_t kMagnitudes = kLayout.bucket_count() / kPageBuckets;

  uint64_t& Count(uint32_t index) {
    Page*& page = pages_[index / kPageBuckets];
    if (page == nullptr) [[unlikely]] {
      page = slab_.Take();
    }
    return (*page)[index % kPageBuckets];
  }

  HistogramPageSlab& slab_;
  Totals totals_;
  std::array<Page*, kMagnitudes> pages_{};
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_HISTOGRAM_H_
