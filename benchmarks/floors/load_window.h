// LoadWindow and LoadTally: how a floor's client counts its RPCs, the way the program under test
// does: those that begin in the window count, from the first start to the last end.
#ifndef BENCHMARKS_FLOORS_LOAD_WINDOW_H_
#define BENCHMARKS_FLOORS_LOAD_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "benchmarks/load_result.h"
#include "distbench/base/clock.h"
#include "distbench/results/histogram.h"

namespace distbench {

// Monotonic. RPCs before `start_ns` are warmup, none begins after `end_ns`.
struct LoadWindow {
  int64_t start_ns = 0;
  int64_t end_ns = 0;

  bool MayBegin(int64_t now_ns) const { return now_ns < end_ns; }
};

// Not thread-safe: one for each thread.
class LoadTally {
 public:
  explicit LoadTally(const LoadWindow& window) : window_(window) {}

  void Count(int64_t begin_ns, int64_t end_ns) {
    if (begin_ns < window_.start_ns) return;
    ++rpcs_;
    first_begin_ns_ = std::min(first_begin_ns_, begin_ns);
    last_end_ns_ = std::max(last_end_ns_, end_ns);
  }

  void CountFailure() { ++failures_; }

  void CountWithLatency(int64_t begin_ns, int64_t end_ns) {
    if (begin_ns < window_.start_ns) return;
    Count(begin_ns, end_ns);
    latency_.Record(end_ns - begin_ns);
  }

 private:
  friend LoadResult Sum(const std::vector<std::unique_ptr<LoadTally>>& tallies);

  const LoadWindow window_;
  int64_t rpcs_ = 0;
  int64_t failures_ = 0;
  int64_t first_begin_ns_ = std::numeric_limits<int64_t>::max();
  int64_t last_end_ns_ = std::numeric_limits<int64_t>::min();
  HistogramPageSlab slab_;
  LogLinearHistogram latency_{slab_};
};

// What all threads counted together.
LoadResult Sum(const std::vector<std::unique_ptr<LoadTally>>& tallies);

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_LOAD_WINDOW_H_
