// Whether what a test was made for was done: RPCs measured, one-way messages served, calibrated
// work as long as it should be.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/verdict_rules.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr double kMostCalibrationError = 0.05;  // within which two calibrations agree
constexpr uint32_t kMedianPpm = 500'000;
constexpr double kMostWorkError = 0.1;  // of the nominal time

// Of one RPC, at all its clients.
struct Ends {
  int64_t measured = 0;
  int64_t failed = 0;
  int64_t warmup = 0;
};

std::string DescribeUnmeasured(const Ends& ends) {
  if (ends.failed == 0) return absl::StrCat("all ", ends.warmup, " RPCs were warmup");
  if (ends.warmup == 0) return absl::StrCat("all ", ends.failed, " RPCs failed");
  return absl::StrCat(ends.failed, " RPCs failed, and ", ends.warmup, " were warmup");
}

Finding UnservedFinding(const std::string& rpc, int64_t sent, int64_t served, double threshold) {
  const double share = 1 - static_cast<double>(served) / static_cast<double>(sent);
  Finding finding = MakeFinding(Finding::NOT_SERVED, share,
                                absl::StrCat(rpc, ": ", sent, " one-way RPCs were sent, ", served,
                                             " served (", PercentText(share), " were not)"));
  finding.set_rpc(rpc);
  finding.set_threshold(threshold);
  return finding;
}

// RPCs that an instance says are one-way.
absl::flat_hash_set<int32_t> OneWayRpcs(const TestEvidence& evidence) {
  absl::flat_hash_set<int32_t> rpcs;
  for (const auto& [instance, log] : evidence.result().service_logs().instance_logs()) {
    for (const auto& [rpc, end] : log.one_way_rpcs()) rpcs.insert(rpc);
  }
  return rpcs;
}

// Who sends RPCs, of the lists that main lists lead to.
struct Senders {
  bool any = false;
  std::set<RpcIndex> for_requests;  // that lists send which run for requests
};

class SenderSearch {
 public:
  explicit SenderSearch(const Plan& plan) : plan_(plan) {}

  Senders Run() && {
    for (const ServicePlan& service : plan_.services) {
      if (service.main_list.has_value()) SearchList(*service.main_list, /*for_request=*/false);
    }
    return std::move(found_);
  }

 private:
  void SearchList(ListIndex list, bool for_request) {
    if (!searched_.insert({list, for_request}).second) return;
    for (const ActionPlan& action : plan_.lists[list].actions) {
      if (const auto* run = std::get_if<RunList>(&action.work)) SearchList(run->list, for_request);
      const auto* send = std::get_if<SendRpc>(&action.work);
      if (send == nullptr) continue;
      found_.any = true;
      if (for_request) found_.for_requests.insert(send->rpc);
      SearchList(plan_.rpcs[send->rpc].server_list, /*for_request=*/true);
    }
  }

  const Plan& plan_;
  std::set<std::pair<ListIndex, bool>> searched_;
  Senders found_;
};

// Of a test that is not meant to send anything too.
bool NothingWasSent(const TestEvidence& evidence) {
  const auto& logs = evidence.result().service_logs().instance_logs();
  return std::all_of(logs.begin(), logs.end(), [](const auto& log) {
    return log.second.rpc_statistics().empty() && log.second.peer_logs().empty();
  });
}

void NoteWork(const std::string& instance, const std::string& activity,
              const CalibratedWorkStatistics& work, Verdict& verdict) {
  const std::string who = absl::StrCat(activity, " of ", instance);
  const auto add = [&](double measured, double threshold, const std::string& text) {
    Finding& note = *verdict.add_notes();
    note = MakeFinding(Finding::CALIBRATION, measured, text);
    note.set_instance(instance);
    note.set_threshold(threshold);
  };
  if (work.disagreement() > kMostCalibrationError) {
    add(work.disagreement(), kMostCalibrationError,
        absl::StrCat(who, ": ", work.measurements(),
                     " calibrations never agreed; the last two are ",
                     PercentText(work.disagreement()), " apart"));
  }
  HistogramPageSlab slab;
  LogLinearHistogram cpu_time(slab);
  // What cannot be read is no evidence.
  if (!MergeHistogram(work.cpu_time_ns(), cpu_time).ok()) return;
  if (cpu_time.totals().count == 0 || work.nominal_ns() <= 0) return;
  const auto median_ns = static_cast<double>(cpu_time.Quantile(kMedianPpm));
  const auto nominal_ns = static_cast<double>(work.nominal_ns());
  const double error = median_ns / nominal_ns - 1;
  if (std::abs(error) <= kMostWorkError) return;
  add(error, kMostWorkError,
      absl::StrCat(who, ": work of ", TimeText(nominal_ns), " took ", TimeText(median_ns),
                   " of CPU time (median); the machine was not as it was when it was calibrated"));
}

}  // namespace

void JudgeMeasured(const TestEvidence& evidence, Verdict& verdict) {
  if (evidence.ended_as_planned() && NothingWasSent(evidence) &&
      SenderSearch(evidence.plan()).Run().any) {
    *verdict.add_reasons() = MakeFinding(Finding::NOT_MEASURED, 0, "no RPC was sent");
    return;
  }
  std::vector<Ends> ends(evidence.plan().rpcs.size());
  for (const RpcEvidence& rpc : evidence.rpcs()) {
    const PerOutcome<OutcomeTotals>& outcomes = rpc.totals.outcomes;
    Ends& of_rpc = ends[rpc.rpc.value()];
    AddSaturating(outcomes[Outcome::kMeasuredSuccess].count, of_rpc.measured);
    AddSaturating(outcomes[Outcome::kMeasuredFailure].count, of_rpc.failed);
    AddSaturating(outcomes[Outcome::kWarmupSuccess].count, of_rpc.warmup);
    AddSaturating(outcomes[Outcome::kWarmupFailure].count, of_rpc.failed);
  }
  bool any_measured = false;
  std::vector<Finding> findings;
  for (size_t i = 0; i < ends.size(); ++i) {
    any_measured |= ends[i].measured > 0;
    if (ends[i].measured > 0 || (ends[i].failed == 0 && ends[i].warmup == 0)) continue;
    const std::string& rpc = evidence.plan().rpcs[RpcIndex(i)].name;
    Finding finding =
        MakeFinding(Finding::NOT_MEASURED, 0,
                    absl::StrCat(rpc, " was not measured: ", DescribeUnmeasured(ends[i])));
    finding.set_rpc(rpc);
    findings.push_back(std::move(finding));
  }
  for (Finding& finding : findings) {
    *(any_measured ? verdict.add_notes() : verdict.add_reasons()) = std::move(finding);
  }
}

void JudgeServed(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict) {
  if (!evidence.ended_as_planned()) return;  // whoever ends a test does not wait for servers
  const absl::flat_hash_set<int32_t> one_way = OneWayRpcs(evidence);
  if (one_way.empty()) return;
  // Traffic's end waits for what main lists send to be served, and for nothing else.
  const std::set<RpcIndex> sent_for_requests = SenderSearch(evidence.plan()).Run().for_requests;
  for (size_t i = 0; i < evidence.plan().rpcs.size(); ++i) {
    const auto rpc = static_cast<int32_t>(i);
    if (!one_way.contains(rpc) || sent_for_requests.contains(RpcIndex(i))) continue;
    const auto times = evidence.figures().times().find(rpc);
    if (times == evidence.figures().times().end()) continue;
    const auto sent = static_cast<int64_t>(times->second.service_time.totals().count);
    const auto found = evidence.figures().served().find(rpc);
    const int64_t served = found == evidence.figures().served().end()
                               ? 0
                               : static_cast<int64_t>(found->second.handler_time.totals().count);
    const double missed = thresholds.max_missed_load * static_cast<double>(sent);
    if (static_cast<double>(sent) - static_cast<double>(served) <= missed) continue;
    *verdict.add_reasons() = UnservedFinding(evidence.plan().rpcs[RpcIndex(i)].name, sent, served,
                                             thresholds.max_missed_load);
  }
}

void NoteCalibration(const TestEvidence& evidence, Verdict& verdict) {
  const auto& logs = evidence.result().service_logs().instance_logs();
  for (const InstancePlan& instance : evidence.plan().instances) {
    const auto log = logs.find(instance.name);
    if (log == logs.end()) continue;
    for (const ActivityPlan& activity : evidence.plan().activities) {
      const auto found = log->second.activity_logs().find(activity.name);
      if (found == log->second.activity_logs().end()) continue;
      if (!found->second.has_calibrated_work()) continue;
      NoteWork(instance.name, activity.name, found->second.calibrated_work(), verdict);
    }
  }
}

}  // namespace distbench
