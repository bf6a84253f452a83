#include "benchmarks/cpu_meter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/cpu_time.h"
#include "distbench/base/clock.h"

namespace distbench {
namespace {

constexpr absl::Duration kInterval = absl::Milliseconds(10);

// CPU time at `wall_ns`. Requires: the readings surround it.
double CpuAt(const std::vector<CpuReading>& readings, int64_t wall_ns) {
  const auto after = std::lower_bound(
      readings.begin(), readings.end(), wall_ns,
      [](const CpuReading& reading, int64_t wall) { return reading.wall_ns < wall; });
  if (after->wall_ns == wall_ns) return static_cast<double>(after->cpu_ns);
  const auto before = after - 1;
  const double part = static_cast<double>(wall_ns - before->wall_ns) /
                      static_cast<double>(after->wall_ns - before->wall_ns);
  return static_cast<double>(before->cpu_ns) +
         part * static_cast<double>(after->cpu_ns - before->cpu_ns);
}

}  // namespace

absl::StatusOr<double> CpuBetween(const std::vector<CpuReading>& readings, int64_t start_wall_ns,
                                  int64_t end_wall_ns) {
  if (readings.empty() || start_wall_ns < readings.front().wall_ns ||
      end_wall_ns > readings.back().wall_ns || start_wall_ns > end_wall_ns) {
    return absl::OutOfRangeError(
        absl::StrCat("no CPU readings from ", start_wall_ns, " to ", end_wall_ns));
  }
  return CpuAt(readings, end_wall_ns) - CpuAt(readings, start_wall_ns);
}

CpuMeter::CpuMeter(std::vector<pid_t> processes)
    : processes_(std::move(processes)), thread_([this] { ReadUntilStopped(); }) {}

CpuMeter::~CpuMeter() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

absl::StatusOr<double> CpuMeter::CpuNsBetween(int64_t start_wall_ns, int64_t end_wall_ns) {
  absl::MutexLock lock(&mutex_);
  Read();
  return CpuBetween(readings_, start_wall_ns, end_wall_ns);
}

void CpuMeter::ReadUntilStopped() {
  absl::MutexLock lock(&mutex_);
  do {
    Read();
  } while (!mutex_.AwaitWithTimeout(absl::Condition(&stopping_), kInterval));
}

void CpuMeter::Read() {
  CpuReading reading;
  for (const pid_t process : processes_) reading.cpu_ns += CpuNsOf(process).value_or(0);
  reading.wall_ns = SystemClock().WallNs();
  // Two threads read: the later reading is the later one of the clock too.
  if (readings_.empty() || reading.wall_ns > readings_.back().wall_ns) readings_.push_back(reading);
}

}  // namespace distbench
