// Nodes, and the test as a whole: how it ended, CPUs, starts and clocks.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/results/verdict_rules.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

Finding NodeFinding(Finding::Kind kind, const std::vector<std::string>& nodes, double measured,
                    double threshold, const std::string& text) {
  Finding finding = MakeFinding(kind, measured, text);
  for (const std::string& node : nodes) finding.add_nodes(node);
  finding.set_threshold(threshold);
  return finding;
}

// --- Clocks

bool HaveOneClock(const NodeReport& a, const NodeReport& b) {
  return !a.provenance().hostname().empty() &&
         a.provenance().hostname() == b.provenance().hostname();
}

double BoundsNs(const NodeReport& a, const NodeReport& b) {
  return static_cast<double>(a.clock_offset_bound_ns()) +
         static_cast<double>(b.clock_offset_bound_ns());
}

// How far apart the clocks may be as they stand.
double ApartNs(const NodeReport& a, const NodeReport& b) {
  const double difference_ns =
      static_cast<double>(a.clock_offset_ns()) - static_cast<double>(b.clock_offset_ns());
  return std::abs(difference_ns) + BoundsNs(a, b);
}

struct NodePair {
  std::vector<std::string> aliases;
  double figure_ns = 0;
};

// Of the pairs with clocks of their own the one with the greatest figure; none if there is no pair.
template <typename Figure>
std::optional<NodePair> WorstPair(const std::vector<const NodeReport*>& nodes, Figure figure) {
  std::optional<NodePair> worst;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t k = i + 1; k < nodes.size(); ++k) {
      if (HaveOneClock(*nodes[i], *nodes[k])) continue;
      const double figure_ns = figure(*nodes[i], *nodes[k]);
      if (worst.has_value() && figure_ns <= worst->figure_ns) continue;
      worst = {.aliases = {nodes[i]->node_alias(), nodes[k]->node_alias()}, .figure_ns = figure_ns};
    }
  }
  return worst;
}

// Nodes whose clocks took part in the total time.
std::vector<const NodeReport*> SendingNodes(const TestEvidence& evidence) {
  absl::flat_hash_set<std::string> senders;
  for (const RpcEvidence& rpc : evidence.rpcs()) {
    if (rpc.finished.count > 0) senders.insert(evidence.InstanceName(rpc));
  }
  std::vector<const NodeReport*> nodes;
  for (const NodeReport& node : evidence.result().report().nodes()) {
    const bool sends = std::any_of(node.instances().begin(), node.instances().end(),
                                   [&](const std::string& name) { return senders.contains(name); });
    if (sends && node.has_clock_offset_bound_ns()) nodes.push_back(&node);
  }
  return nodes;
}

std::vector<const NodeReport*> NodesThatAgreed(const TestEvidence& evidence) {
  std::vector<const NodeReport*> nodes;
  for (const NodeReport& node : evidence.result().report().nodes()) {
    if (node.agreed_start() && !node.instances().empty()) nodes.push_back(&node);
  }
  return nodes;
}

}  // namespace

void JudgeEnd(const TestEvidence& evidence, Verdict& verdict) {
  const TestReport& report = evidence.result().report();
  bool any_lost = false;
  for (const NodeReport& node : report.nodes()) {
    if (!node.lost()) continue;
    any_lost = true;
    Finding& finding = *verdict.add_reasons();
    finding.set_kind(Finding::NODE_LOST);
    finding.add_nodes(node.node_alias());
    finding.set_text(absl::StrCat(node.node_alias(), " was lost"));
  }
  if (evidence.ended_as_planned() || any_lost) return;
  const auto code = static_cast<absl::StatusCode>(report.status_code());
  const bool was_told_to =
      code == absl::StatusCode::kCancelled || code == absl::StatusCode::kDeadlineExceeded;
  const bool has_measured =
      evidence.figures().totals().outcomes[Outcome::kMeasuredSuccess].count > 0;
  Finding& finding = was_told_to && has_measured ? *verdict.add_notes() : *verdict.add_reasons();
  finding.set_kind(Finding::ENDED_EARLY);
  finding.set_text(absl::StrCat("the test ended early (", absl::StatusCodeToString(code), ")"));
}

void JudgeCpu(const TestEvidence& evidence, const VerdictThresholds& thresholds, Verdict& verdict) {
  for (const CpuShareGroup& group : evidence.cpu_groups()) {
    if (!group.runs_open_loops && !group.runs_closed_loops) continue;
    if (!group.IsAtLimit(thresholds.max_cpu_use)) continue;
    std::vector<std::string> nodes;
    for (const ProcessCpu* process : group.processes) {
      nodes.insert(nodes.end(), process->nodes.begin(), process->nodes.end());
    }
    const std::string text =
        absl::StrFormat("CPUs of %s at their limit (%.3f of %.3f CPU seconds)",
                        DescribeNodes(nodes), group.cpu_seconds, group.available_cpu_seconds);
    Finding finding =
        NodeFinding(Finding::CPU_LIMIT, nodes, group.cpu_seconds / group.available_cpu_seconds,
                    thresholds.max_cpu_use, text);
    *(group.runs_open_loops ? verdict.add_reasons() : verdict.add_notes()) = std::move(finding);
  }
}

void JudgeStarts(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict) {
  for (const NodeReport* node : NodesThatAgreed(evidence)) {
    const double skew_ns = static_cast<double>(node->start_skew_ns());
    const double threshold_ns = static_cast<double>(thresholds.max_start_skew_ns);
    if (std::abs(skew_ns) <= threshold_ns) continue;
    *verdict.add_reasons() =
        NodeFinding(Finding::START_SKEW, {node->node_alias()}, skew_ns, threshold_ns,
                    absl::StrCat(node->node_alias(), " started ", TimeText(std::abs(skew_ns)),
                                 skew_ns > 0 ? " late" : " early"));
  }
}

void JudgeClocks(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict) {
  const double test_ns = static_cast<double>(evidence.figures().longest_activity_ns());
  const double max_apart_ns = thresholds.max_clock_error * test_ns;
  const auto apart = WorstPair(SendingNodes(evidence), ApartNs);
  if (apart.has_value() && apart->figure_ns > max_apart_ns) {
    *verdict.add_reasons() = NodeFinding(
        Finding::CLOCKS, apart->aliases, apart->figure_ns, max_apart_ns,
        absl::StrCat("clocks of ", apart->aliases[0], " and ", apart->aliases[1], " may be ",
                     TimeText(apart->figure_ns), " apart, and the total time of ",
                     TimeText(test_ns), " is measured with both"));
  }
  const double max_skew_ns = static_cast<double>(thresholds.max_start_skew_ns);
  const auto bounds = WorstPair(NodesThatAgreed(evidence), BoundsNs);
  if (bounds.has_value() && bounds->figure_ns > max_skew_ns) {
    *verdict.add_reasons() =
        NodeFinding(Finding::CLOCKS, bounds->aliases, bounds->figure_ns, max_skew_ns,
                    absl::StrCat("clocks of ", bounds->aliases[0], " and ", bounds->aliases[1],
                                 " are known to within ", TimeText(bounds->figure_ns),
                                 " only, so whether they started within ", TimeText(max_skew_ns),
                                 " cannot be told"));
  }
}

}  // namespace distbench
