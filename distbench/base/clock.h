// Clock: the two times that a measurement needs, injected so that tests can own them.
//
// All intervals are measured on the monotonic clock. Wall time serves only to agree on a start
// between machines and to date what is reported; it is tied to the monotonic clock once per test
// by a WallAnchor, so that a step of the wall clock in the middle of a test changes nothing.
// Thread-safe.
#ifndef DISTBENCH_BASE_CLOCK_H_
#define DISTBENCH_BASE_CLOCK_H_

#include <cstdint>

namespace distbench {

class Clock {
 public:
  virtual ~Clock() = default;

  // Nanoseconds since an arbitrary origin; never steps back.
  virtual int64_t MonotonicNs() const = 0;

  // Nanoseconds since the Unix epoch.
  virtual int64_t WallNs() const = 0;
};

// The clocks of this machine: CLOCK_MONOTONIC and CLOCK_REALTIME.
class SystemClock final : public Clock {
 public:
  int64_t MonotonicNs() const override;
  int64_t WallNs() const override;
};

// One reading of both clocks at (nearly) the same moment, and the conversion that follows from it.
struct WallAnchor {
  int64_t wall_ns = 0;
  int64_t monotonic_ns = 0;

  int64_t ToWallNs(int64_t at_monotonic_ns) const {
    return at_monotonic_ns - monotonic_ns + wall_ns;
  }
  int64_t ToMonotonicNs(int64_t at_wall_ns) const { return at_wall_ns - wall_ns + monotonic_ns; }
};

// Reads both clocks several times and keeps the pair that was read most closely together.
WallAnchor AnchorWallClock(const Clock& clock);

}  // namespace distbench

#endif  // DISTBENCH_BASE_CLOCK_H_
