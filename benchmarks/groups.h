// The groups of benchmarks, one file each. Each appends its benchmarks; main.cc calls them all.
#ifndef BENCHMARKS_GROUPS_H_
#define BENCHMARKS_GROUPS_H_

#include <string>

#include "benchmarks/benchmark.h"

namespace distbench {

// The programs that benchmarks start. They outlive this process's use of them.
struct Programs {
  std::string distbench;
  std::string floors;
};

void AddEngineBenchmarks(Benchmarks* benchmarks);          // the engine on the instant driver
void AddCalibratedWorkBenchmarks(Benchmarks* benchmarks);  // CPU work of a given time
void AddPacingBenchmarks(Benchmarks* benchmarks);          // lateness of open loops
void AddRecordingBenchmarks(Benchmarks* benchmarks);       // the recorder alone
void AddConfigBenchmarks(Benchmarks* benchmarks);          // compile, placement
void AddSuspendedListBenchmarks(Benchmarks* benchmarks);   // memory of lists that wait
void AddControlPlaneBenchmarks(Benchmarks* benchmarks);    // a thousand nodes
void AddGrpcBenchmarks(const Programs& programs, Benchmarks* benchmarks);
void AddTcpBenchmarks(const Programs& programs, Benchmarks* benchmarks);

}  // namespace distbench

#endif  // BENCHMARKS_GROUPS_H_
