// CPU time, user and system, in ns, as the kernel accounts for it. Stateless.
#ifndef BENCHMARKS_CPU_TIME_H_
#define BENCHMARKS_CPU_TIME_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace distbench {

int64_t ThreadCpuNs();   // of the calling thread
int64_t ProcessCpuNs();  // of this process

// Of all threads of another process. None if there is no such process.
std::optional<int64_t> CpuNsOf(pid_t process);

}  // namespace distbench

#endif  // BENCHMARKS_CPU_TIME_H_
