// CpuUse: the CPU time that a test cost each process, and the nodes that the process hosted.
//
// The kernel counts CPU time per process, so nodes that share one report the same figures; here
// they count once. A process's time is that between its configuration and its result, the work of
// setting up and of packing the result included. Pure.
#ifndef DISTBENCH_RESULTS_CPU_USE_H_
#define DISTBENCH_RESULTS_CPU_USE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace distbench {

class ResourceUsageLogs;
class TestReport;

struct ProcessCpu {
  std::vector<std::string> nodes;      // aliases, in natural order; never empty
  std::vector<std::string> instances;  // of these nodes
  std::string host;                    // empty: unknown
  std::string cpu_list;                // CPUs that it may run on, e.g. "0-3"
  int64_t cpu_count = 0;               // of them; 0: unknown
  double cpu_seconds = 0;
};

// Of the processes whose nodes reported their use, in the order of their first nodes.
std::vector<ProcessCpu> CpuUse(const TestReport& report, const ResourceUsageLogs& usage);

// "node0, node1, node2 and 22 more".
std::string DescribeNodes(const std::vector<std::string>& nodes);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_CPU_USE_H_
