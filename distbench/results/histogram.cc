#include "distbench/results/histogram.h"

namespace distbench {

HistogramPageSlab::Page* HistogramPageSlab::Take() {
  constexpr size_t kFirstChunkPages = 4;
  constexpr size_t kMaxChunkPages = 64;
  if (free_pages_ == 0) {
    chunk_pages_ = std::clamp(chunk_pages_ * 2, kFirstChunkPages, kMaxChunkPages);
    chunks_.push_back(std::make_unique<Page[]>(chunk_pages_));
    free_pages_ = chunk_pages_;
    pages_ += chunk_pages_;
  }
  return &chunks_.back()[chunk_pages_ - free_pages_--];
}

void LogLinearHistogram::Merge(const LogLinearHistogram& other) {
  other.ForEachBucket([this](uint32_t index, uint64_t count) { Count(index) += count; });
  totals_.Merge(other.totals_);
}

void LogLinearHistogram::Add(const Totals& totals, const std::vector<CountedValue>& values) {
  for (const CountedValue& counted : values) {
    Count(kLayout.Index(static_cast<uint64_t>(counted.value))) += counted.count;
  }
  totals_.Merge(totals);
}

int64_t LogLinearHistogram::Quantile(uint32_t parts_per_million) const {
  if (totals_.count == 0) return 0;
  const absl::uint128 wanted = absl::uint128(totals_.count) * parts_per_million / 1'000'000;
  const uint64_t last = totals_.count - 1;
  const uint64_t position = wanted < last ? absl::Uint128Low64(wanted) : last;
  // The ends are known exactly.
  if (position == 0) return totals_.min;
  if (position == last) return totals_.max;
  uint64_t before = 0;  // values in the buckets passed
  int64_t result = totals_.max;
  bool found = false;
  ForEachBucket([&](uint32_t index, uint64_t count) {
    if (found) return;
    before += count;
    if (position >= before) return;
    found = true;
    result = kLayout.Midpoint(index);
  });
  return std::clamp(result, totals_.min, totals_.max);
}

}  // namespace distbench
