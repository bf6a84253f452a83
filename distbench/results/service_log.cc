// BuildServiceStatistics and BuildServiceLog: shards of one engine -> one log in the public form.
//
// The result depends on what was recorded, not on the shard that recorded it or on their order:
// error texts are numbered in alphabetical order, samples are sorted by start and then by
// everything else, and all sums are exact.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "distbench/results/iteration_times.h"
#include "distbench/results/limited_samples.h"
#include "distbench/results/recorded_samples.h"
#include "distbench/results/recorder.h"
#include "distbench/results/replay_writer.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/shard_log.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

struct MergedPair {
  explicit MergedPair(PeerHistogramPool& pool) : service_time(pool) {}

  RpcTotals totals;
  PeerHistogram service_time;
};

class ServiceLogBuilder {
 public:
  explicit ServiceLogBuilder(const std::vector<const ShardLog*>& shards)
      : shards_(shards), error_indices_(NumberErrors(shards)) {
    for (const ShardLog* shard : shards_) AddShard(*shard);
    AddKeptSamples();
  }

  ServicePerformanceLog Build(const WallAnchor& anchor);

 private:
  void AddShard(const ShardLog& shard);
  void AddKeptSamples();
  void AddTotals(const RpcTotals& from, const std::vector<int32_t>& error_indices, RpcTotals& to);
  RpcHistograms MergedHistograms(RpcIndex rpc);

  const std::vector<const ShardLog*>& shards_;
  const std::map<std::string, int32_t> error_indices_;  // by text
  HistogramPageSlab slab_;
  PeerHistogramPool peer_pool_{std::numeric_limits<size_t>::max()};
  std::map<std::pair<InstanceIndex, RpcIndex>, MergedPair> pairs_;
  std::map<RpcIndex, RpcTotals> rpcs_;
  IterationTimesByAction iterations_;
};

void ServiceLogBuilder::AddShard(const ShardLog& shard) {
  std::vector<int32_t> error_indices;  // by number in the shard's table
  for (const std::string& text : shard.errors.texts()) {
    error_indices.push_back(error_indices_.at(text));
  }
  for (const PairLog& pair : shard.pairs) {
    MergedPair& into = pairs_.try_emplace({pair.server, pair.rpc}, peer_pool_).first->second;
    AddTotals(pair.totals, error_indices, into.totals);
    into.service_time.Merge(pair.service_time);
    AddTotals(pair.totals, error_indices, rpcs_[pair.rpc]);
  }
  for (const auto& [place, times] : shard.iterations) {
    iterations_.try_emplace(place, slab_).first->second.Merge(times);
  }
}

// Until now they counted as left out.
void ServiceLogBuilder::AddKeptSamples() {
  for (const KeptSample& kept : KeptSamples(shards_)) {
    const PairLog& pair = shards_[kept.shard]->pairs[kept.sample.pair];
    --pairs_.at({pair.server, pair.rpc}).totals.samples_left_out;
    --rpcs_[pair.rpc].samples_left_out;
  }
}

void ServiceLogBuilder::AddTotals(const RpcTotals& from, const std::vector<int32_t>& error_indices,
                                  RpcTotals& to) {
  to.MergeCounters(from);
  for (const auto& [number, count] : from.error_counts) {
    to.error_counts[error_indices[number]] += count;
  }
}

RpcHistograms ServiceLogBuilder::MergedHistograms(RpcIndex rpc) {
  RpcHistograms merged;
  for (const ShardLog* shard : shards_) merged.Merge(shard->histograms[rpc], slab_);
  return merged;
}

ServicePerformanceLog ServiceLogBuilder::Build(const WallAnchor& anchor) {
  ServicePerformanceLog log;
  if (shards_.empty()) return log;
  const Plan& plan = *shards_.front()->plan;
  WriteIterationTimes(iterations_, plan, log);
  WriteReplays(shards_, error_indices_, anchor, log);
  if (pairs_.empty() && log.replays().empty()) return log;
  for (auto& [key, pair] : pairs_) {
    const auto& [server, rpc] = key;
    PeerPerformanceLog& peer = (*log.mutable_peer_logs())[plan.instances[server].name];
    RpcPerformanceLog& rpc_log = (*peer.mutable_rpc_logs())[static_cast<int32_t>(rpc.value())];
    RpcStatistics& statistics = *rpc_log.mutable_statistics();
    WriteTotals(pair.totals, anchor, statistics);
    WritePeerHistogram(pair.service_time, statistics);
  }
  for (const auto& [rpc, totals] : rpcs_) {
    RpcStatistics& statistics = (*log.mutable_rpc_statistics())[static_cast<int32_t>(rpc.value())];
    WriteTotals(totals, anchor, statistics);
    WriteHistograms(MergedHistograms(rpc), statistics);
  }
  for (const auto& [text, index] : error_indices_) {
    log.mutable_error_dictionary()->add_error_message(text);
  }
  return log;
}

}  // namespace

ServicePerformanceLog BuildServiceStatistics(const std::vector<const Recorder*>& shards,
                                             const WallAnchor& anchor) {
  std::vector<const ShardLog*> logs;
  for (const Recorder* shard : shards) logs.push_back(&shard->log());
  return ServiceLogBuilder(logs).Build(anchor);
}

ServicePerformanceLog BuildServiceLog(const std::vector<const Recorder*>& shards,
                                      const WallAnchor& anchor) {
  ServicePerformanceLog log = BuildServiceStatistics(shards, anchor);
  RecordedSamples samples(shards, anchor);
  AddAllSamples(samples, log);
  return log;
}

}  // namespace distbench
