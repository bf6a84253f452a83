#include "benchmarks/floors/load_window.h"

namespace distbench {
namespace {

constexpr uint32_t kMedianPpm = 500'000;

}  // namespace

LoadResult Sum(const std::vector<std::unique_ptr<LoadTally>>& tallies) {
  LoadTally all{LoadWindow()};
  for (const auto& tally : tallies) {
    all.rpcs_ += tally->rpcs_;
    all.failures_ += tally->failures_;
    all.first_begin_ns_ = std::min(all.first_begin_ns_, tally->first_begin_ns_);
    all.last_end_ns_ = std::max(all.last_end_ns_, tally->last_end_ns_);
    all.latency_.Merge(tally->latency_);
  }
  if (all.rpcs_ == 0) return {.failures = all.failures_};
  const WallAnchor anchor = AnchorWallClock(SystemClock());
  return {.rpcs = all.rpcs_,
          .start_wall_ns = anchor.ToWallNs(all.first_begin_ns_),
          .end_wall_ns = anchor.ToWallNs(all.last_end_ns_),
          .median_ns = all.latency_.Quantile(kMedianPpm),
          .failures = all.failures_};
}

}  // namespace distbench
