#include "benchmarks/cpu_time.h"

#include <time.h>

namespace distbench {
namespace {

std::optional<int64_t> ReadClock(clockid_t clock) {
  timespec time;
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

int64_t ThreadCpuNs() { return ReadClock(CLOCK_THREAD_CPUTIME_ID).value_or(0); }

int64_t ProcessCpuNs() { return ReadClock(CLOCK_PROCESS_CPUTIME_ID).value_or(0); }

std::optional<int64_t> CpuNsOf(pid_t process) {
  clockid_t clock;
  if (clock_getcpuclockid(process, &clock) != 0) return std::nullopt;
  return ReadClock(clock);
}

}  // namespace distbench
