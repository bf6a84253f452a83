// Bounds of the times in a config, chosen so that a time added to a clock reading, both in
// nanoseconds, never overflows 64 bits.
#ifndef DISTBENCH_CONFIG_TIME_LIMITS_H_
#define DISTBENCH_CONFIG_TIME_LIMITS_H_

#include <algorithm>
#include <cstdint>

namespace distbench {

inline constexpr int64_t kMaxDurationUs = 1'000'000'000'000'000;  // 31 years
inline constexpr int64_t kMaxDurationNs = kMaxDurationUs * 1000;

// A time that was refused as out of bounds is cut to them.
constexpr int64_t MicrosecondsToNs(int64_t duration_us) {
  return std::clamp<int64_t>(duration_us, 0, kMaxDurationUs) * 1000;
}

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_TIME_LIMITS_H_
