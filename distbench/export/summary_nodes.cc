#include "distbench/export/summary_nodes.h"

#include <map>
#include <string>

#include "distbench/export/sorted_keys.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

void WriteUsage(const RUsageStats& usage, summary_json::Node& node) {
  node.set_user_cpu_seconds(usage.rusage_diff().user_cpu_time_seconds());
  node.set_system_cpu_seconds(usage.rusage_diff().system_cpu_time_seconds());
}

void WriteReport(const NodeReport& report, summary_json::Node& node) {
  for (const std::string& instance : report.instances()) node.add_instances(instance);
  if (report.has_start_skew_ns()) {
    node.set_start_skew_ns(static_cast<double>(report.start_skew_ns()));
  }
  if (report.has_clock_offset_ns()) {
    node.set_clock_offset_ns(static_cast<double>(report.clock_offset_ns()));
  }
  if (report.has_clock_offset_bound_ns()) {
    node.set_clock_offset_bound_ns(static_cast<double>(report.clock_offset_bound_ns()));
  }
  if (report.lost()) node.set_lost(true);
  if (report.has_provenance()) *node.mutable_provenance() = report.provenance();
}

}  // namespace

void WriteNodes(const TestResult& test, summary_json::Test& summary) {
  // A node may have told what it used, or have reported, or both.
  std::map<std::string, summary_json::Node> nodes;
  for (const auto& [name, usage] : test.resource_usage_logs().node_usages()) {
    WriteUsage(usage, nodes[name]);
  }
  for (const NodeReport& report : test.report().nodes()) {
    WriteReport(report, nodes[report.node_alias()]);
  }
  for (const std::string& name : SortedKeys(nodes)) {
    nodes[name].set_name(name);
    *summary.add_nodes() = nodes[name];
  }
  if (test.resource_usage_logs().has_test_sequencer_usage()) {
    WriteUsage(test.resource_usage_logs().test_sequencer_usage(), *summary.mutable_sequencer());
  }
  if (test.report().has_sequencer()) {
    *summary.mutable_sequencer()->mutable_provenance() = test.report().sequencer();
  }
}

}  // namespace distbench
