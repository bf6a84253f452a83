#include "distbench/results/replay_statistics.h"

#include <cstdint>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/sample_statistics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

absl::Status Within(const std::string& place, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(place, ".", status.message()));
}

// As if the RPCs had been sent by a list.
void AppendSamples(const RpcReplayTraceLog& run, RpcPerformanceLog& log) {
  for (const auto& [record, from] : run.rpc_samples()) {
    RpcSample& sample =
        from.error_index() == 0 ? *log.add_successful_rpc_samples() : *log.add_failed_rpc_samples();
    sample = from;
    int64_t start_ns = from.start_timestamp_ns();
    AddSaturating(run.timestamp_offset_ns(), start_ns);
    sample.set_start_timestamp_ns(start_ns);
    if (run.warmup()) sample.set_warmup(true);
  }
}

}  // namespace

absl::Status CheckReplay(const ReplayStatistics& replay) {
  for (const auto& [peer, statistics] : replay.peers()) {
    RpcTotals unused;
    RETURN_IF_ERROR(Within(absl::StrCat("peers[", peer, "]"), ReadTotals(statistics, unused)));
  }
  RpcTotals unused;
  RETURN_IF_ERROR(Within("statistics", ReadTotals(replay.statistics(), unused)));
  return Within("statistics", CheckHistograms(replay.statistics()));
}

std::vector<ReplayStatistics> ReplaysKnownBySamples(const ServicePerformanceLog& log) {
  std::set<std::string> counted;
  for (const ReplayStatistics& replay : log.replays()) {
    counted.insert(replay.rpc_replay_trace_name());
  }
  struct Known {
    int64_t runs = 0;
    RpcPerformanceLog samples;
  };
  std::map<std::string, Known> known;
  for (const RpcReplayTraceLog& run : log.replay_trace_logs()) {
    if (counted.contains(run.rpc_replay_trace_name())) continue;
    Known& trace = known[run.rpc_replay_trace_name()];
    ++trace.runs;
    AppendSamples(run, trace.samples);
  }
  std::vector<ReplayStatistics> replays;
  for (const auto& [name, trace] : known) {
    ReplayStatistics& replay = replays.emplace_back();
    replay.set_rpc_replay_trace_name(name);
    replay.set_runs(trace.runs);
    *replay.mutable_statistics() = StatisticsFromSamples(trace.samples);
  }
  return replays;
}

}  // namespace distbench
