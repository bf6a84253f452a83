#include "distbench/results/peer_histogram.h"

#include <utility>

namespace distbench {

PeerHistogramPool::Page* PeerHistogramPool::TakeFine() {
  if (fine_pages_left_ == 0) return nullptr;
  --fine_pages_left_;
  return TakeAny();
}

void PeerHistogramPool::ReturnFine(Page* page) {
  ++fine_pages_left_;
  page->fill(0);
  returned_.push_back(page);
}

PeerHistogramPool::Page* PeerHistogramPool::TakeAny() {
  if (!returned_.empty()) {
    Page* page = returned_.back();
    returned_.pop_back();
    return page;
  }
  constexpr size_t kFirstChunkPages = 8;
  constexpr size_t kMaxChunkPages = 512;
  if (free_pages_ == 0) {
    chunk_pages_ = std::clamp(chunk_pages_ * 2, kFirstChunkPages, kMaxChunkPages);
    chunks_.push_back(std::make_unique<Page[]>(chunk_pages_));
    free_pages_ = chunk_pages_;
    pages_ += chunk_pages_;
  }
  return &chunks_.back()[chunk_pages_ - free_pages_--];
}

void PeerHistogram::AddCountSlowly(uint64_t value, uint64_t count) {
  const uint32_t index = kFineLayout.Index(value);
  if (!is_coarse_) {
    if (Page* page = pool_->TakeFine()) {
      pages_[index / kPageBuckets] = page;
      (*page)[index % kPageBuckets] += count;
      return;
    }
    BecomeCoarse();
  }
  (*pages_[0])[kCoarseLayout.Index(value)] += count;
}

void PeerHistogram::BecomeCoarse() {
  Page* coarse = pool_->TakeCoarse();
  ForEachBucket([coarse](uint32_t index, uint64_t count) {
    (*coarse)[kCoarseLayout.Index(static_cast<uint64_t>(kFineLayout.LowerBound(index)))] += count;
  });
  for (Page*& page : pages_) {
    if (page != nullptr) pool_->ReturnFine(std::exchange(page, nullptr));
  }
  pages_[0] = coarse;
  is_coarse_ = true;
}

void PeerHistogram::Merge(const PeerHistogram& other) {
  if (other.is_coarse_ && !is_coarse_) BecomeCoarse();
  const HistogramLayout layout = other.layout();
  other.ForEachBucket([&](uint32_t index, uint64_t count) {
    AddCount(static_cast<uint64_t>(layout.LowerBound(index)), count);
  });
  totals_.Merge(other.totals_);
}

}  // namespace distbench
