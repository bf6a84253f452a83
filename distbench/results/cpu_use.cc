#include "distbench/results/cpu_use.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "distbench/results/natural_order.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Negative times and such are no measurement.
double CpuSeconds(const RUsageStats& usage) {
  const double seconds =
      usage.rusage_diff().user_cpu_time_seconds() + usage.rusage_diff().system_cpu_time_seconds();
  return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

void AddNode(const NodeReport& node, const RUsageStats& usage, ProcessCpu& process) {
  process.nodes.push_back(node.node_alias());
  process.instances.insert(process.instances.end(), node.instances().begin(),
                           node.instances().end());
  process.host = node.provenance().hostname();
  process.cpu_list = node.provenance().cpu_affinity();
  process.cpu_count = std::max(0, node.provenance().cpu_count());
  // The nodes read it one after another.
  process.cpu_seconds = std::max(process.cpu_seconds, CpuSeconds(usage));
}

}  // namespace

std::vector<ProcessCpu> CpuUse(const TestReport& report, const ResourceUsageLogs& usage) {
  // By host and process; a node that does not tell these is alone in its process.
  std::map<std::tuple<std::string, int64_t, std::string>, size_t> positions;
  std::vector<ProcessCpu> processes;
  for (const NodeReport& node : report.nodes()) {
    const auto found = usage.node_usages().find(node.node_alias());
    if (found == usage.node_usages().end()) continue;
    const Provenance& provenance = node.provenance();
    auto key = std::tuple(provenance.hostname(), provenance.process_id(), std::string());
    if (!provenance.has_process_id()) std::get<2>(key) = node.node_alias();
    const size_t position = positions.try_emplace(std::move(key), processes.size()).first->second;
    if (position == processes.size()) processes.emplace_back();
    AddNode(node, found->second, processes[position]);
  }
  const auto less = [](const std::string& a, const std::string& b) { return NaturalLess(a, b); };
  for (ProcessCpu& process : processes) {
    std::sort(process.nodes.begin(), process.nodes.end(), less);
  }
  std::sort(processes.begin(), processes.end(), [&](const ProcessCpu& a, const ProcessCpu& b) {
    return less(a.nodes.front(), b.nodes.front());
  });
  return processes;
}

std::string DescribeNodes(const std::vector<std::string>& nodes) {
  constexpr size_t kNamed = 3;
  if (nodes.size() <= kNamed + 1) return absl::StrJoin(nodes, ", ");
  return absl::StrCat(absl::StrJoin(nodes.begin(), nodes.begin() + kNamed, ", "), " and ",
                      nodes.size() - kNamed, " more");
}

}  // namespace distbench
