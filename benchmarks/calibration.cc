#include "benchmarks/calibration.h"

#include <cstdint>

#include "benchmarks/cpu_time.h"
#include "distbench/base/clock.h"

namespace distbench {
namespace {

constexpr int kMultiplications = 64;
constexpr int64_t kUnitsPerLook = 1000;

uint64_t OneUnit(const SystemClock& clock, uint64_t state) {
  state += static_cast<uint64_t>(clock.MonotonicNs());
  for (int i = 0; i < kMultiplications; ++i) state = state * 6364136223846793005u + 1;
  return state + static_cast<uint64_t>(clock.MonotonicNs());
}

}  // namespace

double CalibrationUnitNs(double seconds) {
  const SystemClock clock;
  const int64_t end_ns = clock.MonotonicNs() + static_cast<int64_t>(seconds * 1e9);
  const int64_t cpu_start_ns = ThreadCpuNs();
  volatile uint64_t state = 1;
  int64_t units = 0;
  do {
    for (int64_t i = 0; i < kUnitsPerLook; ++i) state = OneUnit(clock, state);
    units += kUnitsPerLook;
  } while (clock.MonotonicNs() < end_ns);
  return static_cast<double>(ThreadCpuNs() - cpu_start_ns) / static_cast<double>(units);
}

}  // namespace distbench
