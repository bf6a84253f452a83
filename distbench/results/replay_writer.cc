#include "distbench/results/replay_writer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "distbench/results/replay_recorder.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/trace_path_proto.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

void AddCounts(const RpcTotals& from, const std::vector<int32_t>& error_indices, RpcTotals& to) {
  to.MergeCounters(from);
  for (const auto& [number, count] : from.error_counts) {
    to.error_counts[error_indices[number]] += count;
  }
}

class ReplayWriter {
 public:
  ReplayWriter(const std::vector<const ShardLog*>& shards,
               const std::map<std::string, int32_t>& error_indices, const WallAnchor& anchor,
               ServicePerformanceLog& log)
      : shards_(shards), anchor_(anchor), plan_(*shards.front()->plan), log_(log) {
    for (const ShardLog* shard : shards) {
      std::vector<int32_t>& indices = error_indices_.emplace_back();
      for (const std::string& text : shard->errors.texts()) {
        indices.push_back(error_indices.at(text));
      }
    }
  }

  void Write() {
    for (size_t i = 0; i < plan_.traces.size(); ++i) WriteStatistics(TraceIndex(i));
    WriteLogs();
  }

 private:
  struct Run {
    const ReplayRunLog* log;
    size_t shard;
  };

  void WriteStatistics(TraceIndex trace) {
    HistogramPageSlab slab;
    RpcHistograms histograms;
    int64_t begun = 0;
    int64_t left_out = 0;
    for (const ShardLog* shard : shards_) {
      const ReplayRecorder::Runs& runs = shard->replays.runs()[trace];
      begun += runs.begun;
      left_out += runs.left_out;
      histograms.Merge(runs.histograms, slab);
    }
    if (begun == 0) return;
    ReplayStatistics& replay = *log_.add_replays();
    replay.set_rpc_replay_trace_name(plan_.traces[trace].name);
    replay.set_runs(begun);
    if (left_out > 0) replay.set_runs_left_out(left_out);
    RpcTotals all;
    for (const auto& [server, totals] : TotalsByServer(trace)) {
      WriteTotals(totals, anchor_, (*replay.mutable_peers())[plan_.instances[server].name]);
      all.MergeCounters(totals);
      for (const auto& [index, count] : totals.error_counts) all.error_counts[index] += count;
    }
    WriteTotals(all, anchor_, *replay.mutable_statistics());
    WriteHistograms(histograms, *replay.mutable_statistics());
  }

  std::map<InstanceIndex, RpcTotals> TotalsByServer(TraceIndex trace) const {
    std::map<InstanceIndex, RpcTotals> by_server;
    for (size_t i = 0; i < shards_.size(); ++i) {
      for (const auto& [place, totals] : shards_[i]->replays.totals()) {
        if (place.first == trace) AddCounts(totals, error_indices_[i], by_server[place.second]);
      }
    }
    return by_server;
  }

  void WriteLogs() {
    std::vector<Run> runs;
    for (size_t i = 0; i < shards_.size(); ++i) {
      for (const ReplayRunLog& run : shards_[i]->replays.logs()) {
        runs.push_back({.log = &run, .shard = i});
      }
    }
    std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
      return std::pair(a.log->trace, a.log->start_ns) < std::pair(b.log->trace, b.log->start_ns);
    });
    for (const Run& run : runs) WriteLog(*run.log, error_indices_[run.shard]);
  }

  void WriteLog(const ReplayRunLog& run, const std::vector<int32_t>& error_indices) {
    RpcReplayTraceLog& message = *log_.add_replay_trace_logs();
    message.set_rpc_replay_trace_name(plan_.traces[run.trace].name);
    if (run.cause != nullptr) WriteTracePath(*run.cause, *message.mutable_trace_context());
    if (run.warmup) message.set_warmup(true);
    message.set_timestamp_offset_ns(anchor_.ToWallNs(run.start_ns));
    auto& samples = *message.mutable_rpc_samples();
    for (const ReplaySample& from : run.samples) {
      RpcSample& sample = samples[static_cast<int32_t>(from.record)];
      sample.set_request_size(from.request_bytes);
      sample.set_response_size(from.response_bytes);
      sample.set_start_timestamp_ns(from.start_ns);
      sample.set_latency_ns(from.latency_ns);
      if (run.warmup) sample.set_warmup(true);
      if (from.server_instance) sample.set_server_instance(*from.server_instance);
      if (from.error != 0) sample.set_error_index(error_indices[from.error]);
    }
  }

  const std::vector<const ShardLog*>& shards_;
  const WallAnchor& anchor_;
  const Plan& plan_;
  ServicePerformanceLog& log_;
  std::vector<std::vector<int32_t>> error_indices_;  // by shard, then by number in its table
};

}  // namespace

void WriteReplays(const std::vector<const ShardLog*>& shards,
                  const std::map<std::string, int32_t>& error_indices, const WallAnchor& anchor,
                  ServicePerformanceLog& log) {
  if (!shards.empty()) ReplayWriter(shards, error_indices, anchor, log).Write();
}

}  // namespace distbench
