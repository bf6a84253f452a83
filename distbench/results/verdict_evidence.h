// TestEvidence: what a test is judged by, taken out of its result once.
//
// Borrows all that it is made of. Statistics that contradict themselves, or are of instances and
// RPCs that the plan does not know, are no evidence. Pure.
#ifndef DISTBENCH_RESULTS_VERDICT_EVIDENCE_H_
#define DISTBENCH_RESULTS_VERDICT_EVIDENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "distbench/config/plan.h"
#include "distbench/results/cpu_use.h"
#include "distbench/results/open_loop_load.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/test_figures.h"

namespace distbench {

class RpcStatistics;
class ServicePerformanceLog;
class TestResult;

// What one instance measured of one RPC.
struct RpcEvidence {
  InstanceIndex instance;
  RpcIndex rpc;
  RpcTotals totals;
  OutcomeTotals finished;             // of all outcomes
  const RpcStatistics* statistics;    // never null
  const OpenLoopRpc* open_loop_load;  // null: no open loop sends it
};

// Processes that may run on the same CPUs of one host.
struct CpuShareGroup {
  std::vector<const ProcessCpu*> processes;
  double cpu_seconds = 0;            // of all of them
  double available_cpu_seconds = 0;  // 0: unknown
  bool runs_open_loops = false;
  bool runs_closed_loops = false;

  bool IsAtLimit(double max_use) const {
    return available_cpu_seconds > 0 && cpu_seconds > max_use * available_cpu_seconds;
  }
};

class TestEvidence {
 public:
  TestEvidence(const Plan& plan, const TestResult& result);
  TestEvidence(const TestEvidence&) = delete;
  TestEvidence& operator=(const TestEvidence&) = delete;

  const Plan& plan() const { return plan_; }
  const TestResult& result() const { return result_; }
  const TestFigures& figures() const { return figures_; }
  // In the order of the plan.
  const std::vector<RpcEvidence>& rpcs() const { return rpcs_; }
  const std::vector<OpenLoopRpc>& open_loop_rpcs() const { return open_loop_rpcs_; }
  // Whether the instance recorded anything of the RPC, be it samples of a program that knows no
  // statistics.
  bool HasRecorded(InstanceIndex instance, RpcIndex rpc) const;
  const std::vector<CpuShareGroup>& cpu_groups() const { return cpu_groups_; }

  bool ended_as_planned() const;
  const std::string& InstanceName(const RpcEvidence& rpc) const {
    return plan_.instances[rpc.instance].name;
  }
  const std::string& RpcName(const RpcEvidence& rpc) const { return plan_.rpcs[rpc.rpc].name; }
  // The group that runs the instance; null if it is unknown.
  const CpuShareGroup* CpuGroupOf(const std::string& instance) const;

 private:
  void GatherRpcs();
  void AddLog(InstanceIndex instance, const ServicePerformanceLog& log);
  void GroupProcesses();
  void AddProcess(const ProcessCpu& process, CpuShareGroup& group);

  const Plan& plan_;
  const TestResult& result_;
  const TestFigures figures_;
  const std::vector<OpenLoopRpc> open_loop_rpcs_;
  const std::vector<ProcessCpu> processes_;
  std::vector<RpcEvidence> rpcs_;
  std::vector<CpuShareGroup> cpu_groups_;
  absl::flat_hash_map<std::string, size_t> group_of_instance_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_VERDICT_EVIDENCE_H_
