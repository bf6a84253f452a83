// The time that the calling thread has spent on a CPU.
#ifndef DISTBENCH_ACTIVITY_THREAD_CPU_TIME_H_
#define DISTBENCH_ACTIVITY_THREAD_CPU_TIME_H_

#include <time.h>

#include <cstdint>

namespace distbench {

inline int64_t ThreadCpuNs() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_THREAD_CPU_TIME_H_
