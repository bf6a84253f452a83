// CpuMeter: the CPU time of some processes over a stretch of time that is known only afterwards.
//
// A thread reads their CPU clocks all the time; what was used between two moments follows by
// interpolation. So the floor's processes and ours are measured in the same way, over their steady
// windows alone.
#ifndef BENCHMARKS_CPU_METER_H_
#define BENCHMARKS_CPU_METER_H_

#include <sys/types.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

// One reading of all the clocks.
struct CpuReading {
  int64_t wall_ns = 0;  // since the epoch
  int64_t cpu_ns = 0;   // of all processes together
};

// CPU ns used between two moments, from readings in order of time. OUT_OF_RANGE if the readings do
// not reach that far. Pure.
absl::StatusOr<double> CpuBetween(const std::vector<CpuReading>& readings, int64_t start_wall_ns,
                                  int64_t end_wall_ns);

// Thread-safe.
class CpuMeter {
 public:
  // Reads the clocks of `processes` until it is destroyed.
  explicit CpuMeter(std::vector<pid_t> processes);
  ~CpuMeter();

  // As above. `end_wall_ns` has passed.
  absl::StatusOr<double> CpuNsBetween(int64_t start_wall_ns, int64_t end_wall_ns);

 private:
  void ReadUntilStopped();
  void Read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::vector<pid_t> processes_;
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<CpuReading> readings_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace distbench

#endif  // BENCHMARKS_CPU_METER_H_
