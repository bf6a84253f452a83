#include "distbench/engine/iteration_claims.h"

#include <algorithm>
#include <limits>

namespace distbench {

void IterationClaims::Reset(std::optional<int64_t> max_count, int64_t lanes) {
  next_.store(0, std::memory_order_relaxed);
  limit_ = max_count.value_or(std::numeric_limits<int64_t>::max());
  lanes_ = lanes;
}

IterationClaims::Batch IterationClaims::Claim(int64_t width) {
  int64_t next = next_.load(std::memory_order_relaxed);
  int64_t size;
  do {
    const int64_t left = limit_ - next;
    if (left <= 0) return {};
    // Twice over, so that the last numbers are taken one by one.
    const int64_t fair_share = left / (2 * lanes_);
    size = std::clamp<int64_t>(std::min(fair_share, width), 1, kLargestBatch);
  } while (!next_.compare_exchange_weak(next, next + size, std::memory_order_relaxed));
  return {.next = next, .end = next + size};
}

}  // namespace distbench
