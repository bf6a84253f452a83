// What a reader should know of the figures, though they are right.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/results/printed_percentiles.h"
#include "distbench/results/verdict_rules.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int kFactorOfTwo = 0;  // sub_bucket_bits

bool IsCoarse(const Histogram& histogram) {
  return histogram.count() > 0 && histogram.sub_bucket_bits() == kFactorOfTwo;
}

// Whether any RPC to the peer has a coarse histogram.
bool IsCoarse(const PeerPerformanceLog& peer) {
  for (const auto& [rpc, log] : peer.rpc_logs()) {
    if (IsCoarse(log.statistics().measured_success().service_time_ns())) return true;
  }
  return false;
}

Finding& AddNote(Finding::Kind kind, double measured, const std::string& text, Verdict& verdict) {
  return *verdict.add_notes() = MakeFinding(kind, measured, text);
}

}  // namespace

void NoteSamplesLeftOut(const TestEvidence& evidence, Verdict& verdict) {
  const std::vector<RpcEvidence>& rpcs = evidence.rpcs();
  for (size_t i = 0; i < rpcs.size();) {
    const InstanceIndex instance = rpcs[i].instance;
    const std::string& name = evidence.InstanceName(rpcs[i]);
    int64_t left_out = 0;
    for (; i < rpcs.size() && rpcs[i].instance == instance; ++i) {
      AddSaturating(rpcs[i].totals.samples_left_out, left_out);
    }
    if (left_out == 0) continue;
    AddNote(Finding::SAMPLES_LEFT_OUT, static_cast<double>(left_out),
            absl::StrCat(left_out, " samples of ", name, " were left out; all figures count them"),
            verdict)
        .set_instance(name);
  }
}

void NoteLoweredPrecision(const TestEvidence& evidence, Verdict& verdict) {
  const auto& logs = evidence.result().service_logs().instance_logs();
  for (const InstancePlan& instance : evidence.plan().instances) {
    const auto log = logs.find(instance.name);
    if (log == logs.end()) continue;
    int64_t coarse = 0;
    for (const auto& [peer, peer_log] : log->second.peer_logs()) coarse += IsCoarse(peer_log);
    if (coarse == 0) continue;
    AddNote(
        Finding::PRECISION_LOWERED, static_cast<double>(coarse),
        absl::StrCat("times to ", coarse, " of ", log->second.peer_logs().size(), " peers of ",
                     instance.name,
                     " are known to a factor of two only; those over all peers together are not "
                     "affected"),
        verdict)
        .set_instance(instance.name);
  }
}

void NoteTooFewRpcs(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                    Verdict& verdict) {
  for (size_t i = 0; i < evidence.plan().rpcs.size(); ++i) {
    const auto times = evidence.figures().times().find(static_cast<int32_t>(i));
    if (times == evidence.figures().times().end()) continue;
    const uint64_t count = times->second.service_time.totals().count;
    if (count == 0) continue;  // and no percentile is printed
    std::vector<std::string> names;
    for (const PrintedPercentile& percentile : kPrintedPercentiles) {
      const absl::uint128 beyond = absl::uint128(count) * (kAllPpm - percentile.ppm);
      const absl::uint128 needed =
          absl::uint128(static_cast<uint64_t>(thresholds.min_rpcs_beyond_percentile)) * kAllPpm;
      if (beyond < needed) names.push_back(percentile.name);
    }
    if (names.empty()) continue;
    const std::string& rpc = evidence.plan().rpcs[RpcIndex(i)].name;
    AddNote(Finding::TOO_FEW_RPCS, static_cast<double>(count),
            absl::StrCat(rpc, ": ", count, " RPCs are too few for ", absl::StrJoin(names, ", ")),
            verdict)
        .set_rpc(rpc);
  }
}

}  // namespace distbench
