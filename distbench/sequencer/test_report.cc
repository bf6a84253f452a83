#include "distbench/sequencer/test_report.h"

#include <cstdint>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr int64_t kMaxSkewNs = 10'000'000;

std::string DescribeSkew(const Participant& participant) {
  const int64_t skew_ns = *participant.start_skew_ns;
  return absl::StrFormat("  %s: %.1f ms %s", participant.node->alias,
                         std::abs(static_cast<double>(skew_ns)) / kNsPerMs,
                         skew_ns > 0 ? "late" : "early");
}

}  // namespace

void CompleteNodeReport(const Plan& plan, const Participant& participant, NodeReport& report) {
  const RegisteredNode& node = *participant.node;
  report.set_node_alias(node.alias);
  if (!report.has_provenance() && node.registration.daemon().has_provenance()) {
    *report.mutable_provenance() = node.registration.daemon().provenance();
  }
  report.clear_instances();
  for (InstanceIndex instance : participant.instances) {
    report.add_instances(plan.instances[instance].name);
  }
  report.set_agreed_start(participant.agreed_start);
  report.clear_start_skew_ns();
  if (participant.start_skew_ns.has_value()) report.set_start_skew_ns(*participant.start_skew_ns);
  report.clear_clock_offset_ns();
  report.clear_clock_offset_bound_ns();
  if (participant.clock.has_value()) {
    report.set_clock_offset_ns(participant.clock->offset_ns);
    report.set_clock_offset_bound_ns(participant.clock->bound_ns);
  }
}

absl::Status ReportedOverload(const TestReport& report) {
  for (const NodeReport& node : report.nodes()) {
    if (node.overload().empty()) continue;
    return absl::ResourceExhaustedError(absl::StrCat(node.node_alias(), ": ", node.overload()));
  }
  return absl::OkStatus();
}

void SetStatus(const absl::Status& status, TestReport& report) {
  report.set_status_code(status.raw_code());
  if (!status.ok()) report.set_status_message(std::string(status.message()));
}

std::vector<std::string> DescribeEnd(const absl::Status& status) {
  if (status.ok()) return {};
  std::vector<std::string> lines = {"Test ended early:",
                                    absl::StrCat("  ", absl::StatusCodeToString(status.code()))};
  for (absl::string_view line : absl::StrSplit(status.message(), '\n')) {
    lines.push_back(absl::StrCat("  ", line));
  }
  return lines;
}

std::vector<std::string> DescribeStarts(const Participants& participants) {
  std::vector<std::string> lines;
  size_t hosts = 0;  // nodes that had traffic to start
  size_t without_agreement = 0;
  for (const Participant& participant : participants) {
    if (participant.instances.empty()) continue;
    ++hosts;
    if (!participant.agreed_start) ++without_agreement;
    const int64_t skew_ns = participant.start_skew_ns.value_or(0);
    if (skew_ns <= kMaxSkewNs && skew_ns >= -kMaxSkewNs) continue;
    if (lines.empty()) lines.push_back("Start skew:");
    lines.push_back(DescribeSkew(participant));
  }
  if (without_agreement > 0) {
    lines.push_back(absl::StrCat("Started without an agreed time: ", without_agreement, " of ",
                                 hosts, " nodes"));
  }
  return lines;
}

}  // namespace distbench
