#include "distbench/results/verdict_evidence.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "distbench/results/rpc_statistics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr double kNsPerSecond = 1e9;

const OpenLoopRpc* Find(const std::vector<OpenLoopRpc>& loads, ServiceIndex client, RpcIndex rpc) {
  const auto found = std::find_if(loads.begin(), loads.end(), [&](const OpenLoopRpc& load) {
    return load.client == client && load.rpc == rpc;
  });
  return found == loads.end() ? nullptr : &*found;
}

}  // namespace

TestEvidence::TestEvidence(const Plan& plan, const TestResult& result)
    : plan_(plan),
      result_(result),
      figures_(plan, result.service_logs()),
      open_loop_rpcs_(OpenLoopRpcs(plan)),
      processes_(CpuUse(result.report(), result.resource_usage_logs())) {
  GatherRpcs();
  GroupProcesses();
}

bool TestEvidence::ended_as_planned() const { return result_.report().status_code() == 0; }

bool TestEvidence::HasRecorded(InstanceIndex instance, RpcIndex rpc) const {
  const auto& logs = result_.service_logs().instance_logs();
  const auto log = logs.find(plan_.instances[instance].name);
  if (log == logs.end()) return false;
  const auto index = static_cast<int32_t>(rpc.value());
  const auto& peers = log->second.peer_logs();
  return log->second.rpc_statistics().contains(index) ||
         std::any_of(peers.begin(), peers.end(),
                     [&](const auto& peer) { return peer.second.rpc_logs().contains(index); });
}

void TestEvidence::GatherRpcs() {
  const auto& logs = result_.service_logs().instance_logs();
  for (size_t i = 0; i < plan_.instances.size(); ++i) {
    const auto log = logs.find(plan_.instances[InstanceIndex(i)].name);
    if (log != logs.end()) AddLog(InstanceIndex(i), log->second);
  }
}

void TestEvidence::AddLog(InstanceIndex instance, const ServicePerformanceLog& log) {
  for (size_t i = 0; i < plan_.rpcs.size(); ++i) {
    const auto statistics = log.rpc_statistics().find(static_cast<int32_t>(i));
    if (statistics == log.rpc_statistics().end()) continue;
    const RpcIndex rpc(i);
    RpcEvidence evidence = {
        .instance = instance,
        .rpc = rpc,
        .totals = {},
        .finished = {},
        .statistics = &statistics->second,
        .open_loop_load = Find(open_loop_rpcs_, plan_.instances[instance].service, rpc)};
    const bool is_sound = ReadTotals(statistics->second, evidence.totals).ok() &&
                          CheckHistograms(statistics->second).ok();
    if (!is_sound) continue;
    for (const Outcome outcome : kOutcomes) {
      evidence.finished.Merge(evidence.totals.outcomes[outcome]);
    }
    rpcs_.push_back(std::move(evidence));
  }
}

void TestEvidence::GroupProcesses() {
  std::map<std::pair<std::string, std::string>, size_t> positions;  // by host and CPUs
  for (const ProcessCpu& process : processes_) {
    // One that does not say where it runs has CPUs of its own.
    const bool is_known = !process.host.empty() && !process.cpu_list.empty();
    const auto key = is_known ? std::pair(process.host, process.cpu_list)
                              : std::pair(std::string(), process.nodes.front());
    const size_t position = positions.try_emplace(key, cpu_groups_.size()).first->second;
    if (position == cpu_groups_.size()) cpu_groups_.emplace_back();
    AddProcess(process, cpu_groups_[position]);
    for (const std::string& instance : process.instances) group_of_instance_[instance] = position;
  }
}

void TestEvidence::AddProcess(const ProcessCpu& process, CpuShareGroup& group) {
  group.processes.push_back(&process);
  group.cpu_seconds += process.cpu_seconds;
  group.available_cpu_seconds = static_cast<double>(process.cpu_count) *
                                static_cast<double>(figures_.longest_activity_ns()) / kNsPerSecond;
  for (const std::string& name : process.instances) {
    const auto instance = plan_.instance_by_name.find(name);
    if (instance == plan_.instance_by_name.end()) continue;
    const ServiceIndex service = plan_.instances[instance->second].service;
    const bool is_open = std::any_of(open_loop_rpcs_.begin(), open_loop_rpcs_.end(),
                                     [&](const OpenLoopRpc& l) { return l.client == service; });
    group.runs_open_loops |= is_open;
    group.runs_closed_loops |= !is_open && plan_.services[service].main_list.has_value();
  }
}

const CpuShareGroup* TestEvidence::CpuGroupOf(const std::string& instance) const {
  const auto found = group_of_instance_.find(instance);
  return found == group_of_instance_.end() ? nullptr : &cpu_groups_[found->second];
}

}  // namespace distbench
