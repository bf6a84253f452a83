// What open loops did against what they should have done: offered load and lateness.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/verdict_rules.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr uint32_t kMedianPpm = 500'000;
constexpr uint32_t k99PercentPpm = 990'000;

double StartedCount(const RpcEvidence& rpc) {
  return static_cast<double>(rpc.finished.count) + static_cast<double>(rpc.totals.cancelled) +
         static_cast<double>(rpc.totals.abandoned);
}

int64_t LongestServiceNs(const RpcStatistics& statistics) {
  int64_t longest_ns = 0;
  for (const OutcomeStatistics* outcome :
       {&statistics.measured_success(), &statistics.measured_failure(),
        &statistics.warmup_success(), &statistics.warmup_failure()}) {
    longest_ns = std::max(longest_ns, outcome->service_time_ns().max());
  }
  return longest_ns;
}

// As it was counted; none if the statistics of any RPCs do not tell.
std::optional<int64_t> LastStartNs(const RpcTotals& totals) {
  int64_t last_ns = OutcomeTotals::kUnknownStartNs;
  for (const Outcome outcome : kOutcomes) {
    const OutcomeTotals& counted = totals.outcomes[outcome];
    if (counted.count == 0) continue;
    if (counted.last_start_ns == OutcomeTotals::kUnknownStartNs) return std::nullopt;
    last_ns = std::max(last_ns, counted.last_start_ns);
  }
  return last_ns;
}

// Where the last start was not counted: some samples know theirs, and no RPC was started later than
// its end less its service time.
int64_t LastKnownStartNs(const ServicePerformanceLog& log, const RpcEvidence& rpc) {
  const OutcomeTotals& finished = rpc.finished;
  const absl::int128 bound_ns =
      absl::int128(finished.last_end_ns) - LongestServiceNs(*rpc.statistics);
  int64_t last_ns =
      bound_ns > finished.first_start_ns ? static_cast<int64_t>(bound_ns) : finished.first_start_ns;
  const auto add = [&](const RpcSample& sample) {
    last_ns = std::max(last_ns, std::min(sample.start_timestamp_ns(), finished.last_end_ns));
  };
  for (const auto& [peer, peer_log] : log.peer_logs()) {
    const auto rpc_log = peer_log.rpc_logs().find(static_cast<int32_t>(rpc.rpc.value()));
    if (rpc_log == peer_log.rpc_logs().end()) continue;
    for (const RpcSample& sample : rpc_log->second.successful_rpc_samples()) add(sample);
    for (const RpcSample& sample : rpc_log->second.failed_rpc_samples()) add(sample);
  }
  return last_ns;
}

const ServicePerformanceLog& LogOf(const TestEvidence& evidence, const RpcEvidence& rpc) {
  return evidence.result().service_logs().instance_logs().at(evidence.InstanceName(rpc));
}

// From the first start to the last one, at least.
int64_t SendingNs(const TestEvidence& evidence, const RpcEvidence& rpc) {
  if (rpc.finished.count == 0) return 0;
  const std::optional<int64_t> counted_ns = LastStartNs(rpc.totals);
  const int64_t last_start_ns =
      counted_ns ? *counted_ns : LastKnownStartNs(LogOf(evidence, rpc), rpc);
  const absl::int128 sending_ns = absl::int128(last_start_ns) - rpc.finished.first_start_ns;
  return static_cast<int64_t>(
      std::min<absl::int128>(sending_ns, std::numeric_limits<int64_t>::max()));
}

// RPCs due, and the time in which they were, if it is that which tells.
struct DueRpcs {
  double count = 0;
  std::optional<int64_t> within_ns;
};

DueRpcs RpcsDue(const TestEvidence& evidence, const RpcEvidence& rpc) {
  DueRpcs due;
  if (evidence.ended_as_planned()) due.count = RpcsDueByPlan(*rpc.open_loop_load).value_or(0);
  const int64_t sending_ns = SendingNs(evidence, rpc);
  const std::optional<double> within = RpcsDueWithin(*rpc.open_loop_load, sending_ns);
  if (within.value_or(0) > due.count) return {.count = *within, .within_ns = sending_ns};
  return due;
}

Finding MissedLoad(const std::string& instance, const std::string& rpc, const DueRpcs& due,
                   double started, double threshold) {
  const double missed = (due.count - started) / due.count;
  Finding finding;
  finding.set_kind(Finding::OFFERED_LOAD_MISSED);
  finding.set_instance(instance);
  finding.set_rpc(rpc);
  finding.set_measured(missed);
  finding.set_threshold(threshold);
  finding.set_text(absl::StrFormat(
      "offered load of %s missed by %s (%s: %.0f RPCs were due%s, %.0f were started)",
      finding.instance(), PercentText(missed), finding.rpc(), due.count,
      due.within_ns.has_value()
          ? absl::StrCat(" in ", TimeText(static_cast<double>(*due.within_ns)))
          : "",
      started));
  return finding;
}

// Loads of which an instance started nothing at all.
void AddUnstarted(const TestEvidence& evidence, double threshold, std::vector<Finding>& findings) {
  if (threshold >= 1) return;
  const Plan& plan = evidence.plan();
  for (const OpenLoopRpc& load : evidence.open_loop_rpcs()) {
    const DueRpcs due = {.count = RpcsDueByPlan(load).value_or(0), .within_ns = std::nullopt};
    if (due.count < 1) continue;
    for (size_t i = 0; i < plan.instances.size(); ++i) {
      const InstanceIndex instance(i);
      if (plan.instances[instance].service != load.client) continue;
      if (evidence.HasRecorded(instance, load.rpc)) continue;
      findings.push_back(MissedLoad(plan.instances[instance].name, plan.rpcs[load.rpc].name, due,
                                    /*started=*/0, threshold));
    }
  }
}

void AddWorstFirst(std::vector<Finding> findings, google::protobuf::RepeatedPtrField<Finding>& to) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.measured() > b.measured(); });
  for (Finding& finding : findings) *to.Add() = std::move(finding);
}

// A time that lateness should be small against.
struct LatenessReference {
  double ns = 0;
  const char* name = "";
};

struct LatenessFigures {
  double lateness_ns = 0;  // 99 %
  LatenessReference reference;

  double ratio() const { return lateness_ns / std::max(reference.ns, 1.0); }
};

double QuantileNs(const Histogram& message, uint32_t parts_per_million) {
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  // Evidence is sound.
  return MergeHistogram(message, histogram).ok()
             ? static_cast<double>(histogram.Quantile(parts_per_million))
             : 0;
}

// One-way RPCs end before their work, so their response times say nothing of what was measured.
std::optional<LatenessReference> ReferenceOf(const TestEvidence& evidence, const RpcEvidence& rpc) {
  if (!LogOf(evidence, rpc).one_way_rpcs().contains(static_cast<int32_t>(rpc.rpc.value()))) {
    const Histogram& response_times = rpc.statistics->measured_success().response_time_ns();
    return LatenessReference{.ns = QuantileNs(response_times, kMedianPpm),
                             .name = "response time median"};
  }
  if (rpc.open_loop_load == nullptr) return std::nullopt;
  const std::optional<int64_t> interval_ns =
      StartIntervalNs(*rpc.open_loop_load, SendingNs(evidence, rpc));
  if (!interval_ns.has_value()) return std::nullopt;
  return LatenessReference{.ns = static_cast<double>(*interval_ns),
                           .name = "interval between starts"};
}

std::optional<LatenessFigures> LatenessOf(const TestEvidence& evidence, const RpcEvidence& rpc) {
  const OutcomeStatistics& measured = rpc.statistics->measured_success();
  if (measured.lateness_ns().count() == 0) return std::nullopt;
  const std::optional<LatenessReference> reference = ReferenceOf(evidence, rpc);
  if (!reference.has_value()) return std::nullopt;
  return LatenessFigures{.lateness_ns = QuantileNs(measured.lateness_ns(), k99PercentPpm),
                         .reference = *reference};
}

Finding LatenessFinding(const TestEvidence& evidence, const RpcEvidence& rpc,
                        const LatenessFigures& figures, Finding::Kind kind, double threshold) {
  Finding finding;
  finding.set_kind(kind);
  finding.set_instance(evidence.InstanceName(rpc));
  finding.set_rpc(evidence.RpcName(rpc));
  finding.set_measured(figures.ratio());
  finding.set_threshold(threshold);
  const std::string text =
      kind == Finding::LATENESS
          ? absl::StrCat(finding.instance(), " started ", finding.rpc(), " late")
          : absl::StrCat("pacing 'hybrid' or 'spin' would start ", finding.rpc(), " of ",
                         finding.instance(), " nearer to its time");
  finding.set_text(absl::StrCat(text, " (lateness 99%: ", TimeText(figures.lateness_ns), ", ",
                                figures.reference.name, ": ", TimeText(figures.reference.ns), ")"));
  return finding;
}

// Whether it is the kernel's wake-up that makes starts late, and there are CPUs to spare for a
// thread that spins instead.
bool PacingWouldCure(const TestEvidence& evidence, const RpcEvidence& rpc,
                     const LatenessFigures& figures, const VerdictThresholds& thresholds) {
  if (rpc.open_loop_load == nullptr) return false;
  const auto& loops = rpc.open_loop_load->loops;
  const bool sleeps = std::any_of(loops.begin(), loops.end(), [](const OpenLoop& loop) {
    return loop.action->iterations->open_loop->pacing == Pacing::kSleep;
  });
  const CpuShareGroup* cpus = evidence.CpuGroupOf(evidence.InstanceName(rpc));
  const bool has_cpu_to_spare = cpus == nullptr || !cpus->IsAtLimit(thresholds.max_cpu_use);
  return sleeps && has_cpu_to_spare &&
         figures.lateness_ns > thresholds.noted_lateness * figures.reference.ns &&
         figures.lateness_ns <= static_cast<double>(thresholds.max_wakeup_lateness_ns);
}

}  // namespace

void JudgeOfferedLoad(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                      Verdict& verdict) {
  std::vector<Finding> findings;
  for (const RpcEvidence& rpc : evidence.rpcs()) {
    if (rpc.open_loop_load == nullptr) continue;
    const DueRpcs due = RpcsDue(evidence, rpc);
    if (due.count - StartedCount(rpc) > thresholds.max_missed_load * due.count) {
      findings.push_back(MissedLoad(evidence.InstanceName(rpc), evidence.RpcName(rpc), due,
                                    StartedCount(rpc), thresholds.max_missed_load));
    }
  }
  if (evidence.ended_as_planned()) AddUnstarted(evidence, thresholds.max_missed_load, findings);
  AddWorstFirst(std::move(findings), *verdict.mutable_reasons());
}

void JudgeLateness(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                   Verdict& verdict) {
  std::vector<Finding> reasons;
  std::vector<Finding> notes;
  for (const RpcEvidence& rpc : evidence.rpcs()) {
    const std::optional<LatenessFigures> figures = LatenessOf(evidence, rpc);
    if (!figures.has_value()) continue;
    if (figures->lateness_ns > thresholds.max_lateness * figures->reference.ns) {
      reasons.push_back(
          LatenessFinding(evidence, rpc, *figures, Finding::LATENESS, thresholds.max_lateness));
    }
    if (PacingWouldCure(evidence, rpc, *figures, thresholds)) {
      notes.push_back(
          LatenessFinding(evidence, rpc, *figures, Finding::PACING, thresholds.noted_lateness));
    }
  }
  AddWorstFirst(std::move(reasons), *verdict.mutable_reasons());
  AddWorstFirst(std::move(notes), *verdict.mutable_notes());
}

}  // namespace distbench
