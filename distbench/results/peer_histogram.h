// PeerHistogram: how the times of the RPCs to one peer are distributed, in little memory, since an
// instance may have a thousand peers.
//
//        Record                       Record, and the pool is empty
//   fine ------> a page for each      ----------------------------> coarse: one page
//                magnitude seen
//
//   fine     64 buckets a factor of two: a value is known to within 1.6 %
//   coarse   one bucket a factor of two
//
// Pages come from a pool whose size is planned, which the peers of a recorder share. Whoever finds
// it empty becomes coarse, gives its other pages back, and says so by its layout. Count, sum, least
// and greatest value are exact all the same.
//
// Not thread-safe.
#ifndef DISTBENCH_RESULTS_PEER_HISTOGRAM_H_
#define DISTBENCH_RESULTS_PEER_HISTOGRAM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "distbench/results/histogram.h"
#include "distbench/results/histogram_layout.h"

namespace distbench {

class PeerHistogramPool {
 public:
  static constexpr size_t kPageBuckets = 64;
  using Page = std::array<uint64_t, kPageBuckets>;  // 512 bytes

  // Lends `fine_pages` pages at a time, and besides one coarse page to each histogram.
  explicit PeerHistogramPool(size_t fine_pages) : fine_pages_left_(fine_pages) {}

  // A page of zeros; null if none is left.
  Page* TakeFine();
  void ReturnFine(Page* page);
  Page* TakeCoarse() { return TakeAny(); }

  size_t bytes() const { return pages_ * sizeof(Page); }  // taken from the allocator

 private:
  Page* TakeAny();

  size_t fine_pages_left_;
  std::vector<Page*> returned_;
  std::vector<std::unique_ptr<Page[]>> chunks_;
  size_t pages_ = 0;        // in all chunks
  size_t chunk_pages_ = 0;  // in the last chunk
  size_t free_pages_ = 0;   // of those
};

class PeerHistogram {
 public:
  using Totals = LogLinearHistogram::Totals;
  static constexpr HistogramLayout kFineLayout{6};
  static constexpr HistogramLayout kCoarseLayout{0};

  // `pool` outlives the histogram.
  explicit PeerHistogram(PeerHistogramPool& pool) : pool_(&pool) {}
  PeerHistogram(PeerHistogram&&) = default;

  void Record(int64_t value) {
    const uint64_t clamped = static_cast<uint64_t>(std::max<int64_t>(value, 0));
    AddCount(clamped, 1);
    totals_.Add(value);
  }

  // As if everything that `other` recorded had been recorded here, with the precision of the
  // coarser one.
  void Merge(const PeerHistogram& other);

  const Totals& totals() const { return totals_; }
  HistogramLayout layout() const { return is_coarse() ? kCoarseLayout : kFineLayout; }

  // Calls `visit(uint32_t index, uint64_t count)` for the buckets that are not empty, in order of
  // layout().
  template <typename Visit>
  void ForEachBucket(Visit visit) const {
    for (uint32_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == nullptr) continue;
      for (uint32_t i = 0; i < kPageBuckets; ++i) {
        if ((*pages_[page])[i] != 0) visit(page * kPageBuckets + i, (*pages_[page])[i]);
      }
    }
  }

 private:
  using Page = PeerHistogramPool::Page;
  static constexpr uint32_t kPageBuckets = PeerHistogramPool::kPageBuckets;
  static constexpr uint32_t kMagnitudes = kFineLayout.bucket_count() / kPageBuckets;
  static_assert(kCoarseLayout.bucket_count() <= kPageBuckets);

  bool is_coarse() const { return is_coarse_; }

  // `value` is not negative.
  void AddCount(uint64_t value, uint64_t count) {
    const uint32_t index = kFineLayout.Index(value);
    Page* page = pages_[index / kPageBuckets];
    if (page == nullptr || is_coarse_) [[unlikely]] {
      return AddCountSlowly(value, count);
    }
    (*page)[index % kPageBuckets] += count;
  }
  void AddCountSlowly(uint64_t value, uint64_t count);
  void BecomeCoarse();

  PeerHistogramPool* pool_;
  Totals totals_;
  bool is_coarse_ = false;  // then the first page has the coarse buckets and is the only one
  std::array<Page*, kMagnitudes> pages_{};
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_PEER_HISTOGRAM_H_
