#include "distbench/base/clock.h"

#include <time.h>

#include <limits>

namespace distbench {
namespace {

int64_t ReadNs(clockid_t id) {
  timespec now;
  clock_gettime(id, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

int64_t SystemClock::MonotonicNs() const { return ReadNs(CLOCK_MONOTONIC); }

int64_t SystemClock::WallNs() const { return ReadNs(CLOCK_REALTIME); }

WallAnchor AnchorWallClock(const Clock& clock) {
  constexpr int kReadings = 8;
  WallAnchor best;
  int64_t narrowest_ns = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < kReadings; ++i) {
    const int64_t before_ns = clock.MonotonicNs();
    const int64_t wall_ns = clock.WallNs();
    const int64_t width_ns = clock.MonotonicNs() - before_ns;
    if (width_ns < narrowest_ns) {
      narrowest_ns = width_ns;
      best = {.wall_ns = wall_ns, .monotonic_ns = before_ns + width_ns / 2};
    }
  }
  return best;
}

}  // namespace distbench
