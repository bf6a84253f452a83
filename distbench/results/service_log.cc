// BuildServiceLog: shards of one engine -> one log in the public form.
//
// The result depends on what was recorded, not on the shard that recorded it or on their order:
// error texts are numbered in alphabetical order, samples are sorted by start and then by
// everything else, and all sums are exact.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "distbench/results/iteration_times.h"
#include "distbench/results/limited_samples.h"
#include "distbench/results/recorder.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/shard_log.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// A sample and its error's position in the dictionary of the log.
struct PlacedSample {
  Sample sample;
  int32_t error_index = 0;

  auto Key() const {
    return std::tuple(sample.start_ns, sample.latency_ns, sample.latency_weight_ns,
                      sample.request_bytes, sample.response_bytes, sample.warmup, error_index);
  }
};

struct MergedPair {
  explicit MergedPair(PeerHistogramPool& pool) : service_time(pool) {}

  RpcTotals totals;
  PeerHistogram service_time;
  std::vector<PlacedSample> successes;
  std::vector<PlacedSample> failures;
};

class ServiceLogBuilder {
 public:
  explicit ServiceLogBuilder(const std::vector<const ShardLog*>& shards) : shards_(shards) {
    NumberErrors();
    for (const ShardLog* shard : shards_) AddShard(*shard);
    AddKeptSamples();
  }

  ServicePerformanceLog Build(const WallAnchor& anchor);

 private:
  // What a shard's numbers stand for.
  struct ShardNumbers {
    std::vector<int32_t> error_indices;  // by number in the shard's table
    std::vector<MergedPair*> pairs;      // by position in the shard's pairs
  };

  void NumberErrors();
  void AddShard(const ShardLog& shard);
  MergedPair& AddSample(const Sample& sample, const ShardNumbers& numbers);
  void AddKeptSamples();
  void AddTotals(const RpcTotals& from, const std::vector<int32_t>& error_indices, RpcTotals& to);
  RpcHistograms MergedHistograms(RpcIndex rpc);

  const std::vector<const ShardLog*>& shards_;
  HistogramPageSlab slab_;
  PeerHistogramPool peer_pool_{std::numeric_limits<size_t>::max()};
  std::map<std::string, int32_t> error_indices_;  // by text; the empty one has 0
  std::map<std::pair<InstanceIndex, RpcIndex>, MergedPair> pairs_;
  std::map<RpcIndex, RpcTotals> rpcs_;
  std::vector<ShardNumbers> numbers_;  // by shard
  IterationTimesByAction iterations_;
};

void ServiceLogBuilder::NumberErrors() {
  for (const ShardLog* shard : shards_) {
    for (const std::string& text : shard->errors.texts()) error_indices_.emplace(text, 0);
  }
  int32_t next = 0;
  for (auto& [text, index] : error_indices_) index = next++;
}

void ServiceLogBuilder::AddShard(const ShardLog& shard) {
  ShardNumbers& numbers = numbers_.emplace_back();
  for (const std::string& text : shard.errors.texts()) {
    numbers.error_indices.push_back(error_indices_.at(text));
  }
  for (const PairLog& pair : shard.pairs) {
    MergedPair& into = pairs_.try_emplace({pair.server, pair.rpc}, peer_pool_).first->second;
    AddTotals(pair.totals, numbers.error_indices, into.totals);
    into.service_time.Merge(pair.service_time);
    AddTotals(pair.totals, numbers.error_indices, rpcs_[pair.rpc]);
    numbers.pairs.push_back(&into);
  }
  shard.samples.ForEach([&](const Sample& sample) { AddSample(sample, numbers); });
  for (const auto& [place, times] : shard.iterations) {
    iterations_.try_emplace(place, slab_).first->second.Merge(times);
  }
}

MergedPair& ServiceLogBuilder::AddSample(const Sample& sample, const ShardNumbers& numbers) {
  MergedPair& into = *numbers.pairs[sample.pair];
  (sample.error == 0 ? into.successes : into.failures)
      .push_back({.sample = sample, .error_index = numbers.error_indices[sample.error]});
  return into;
}

// Until now they counted as left out.
void ServiceLogBuilder::AddKeptSamples() {
  for (const auto& [shard, sample] : KeptSamples(shards_)) {
    --AddSample(sample, numbers_[shard]).totals.samples_left_out;
    --rpcs_[shards_[shard]->pairs[sample.pair].rpc].samples_left_out;
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

void WriteSample(const PlacedSample& placed, const WallAnchor& anchor, RpcSample& message) {
  const Sample& sample = placed.sample;
  message.set_request_size(sample.request_bytes);
  message.set_response_size(sample.response_bytes);
  message.set_start_timestamp_ns(anchor.ToWallNs(sample.start_ns));
  message.set_latency_ns(sample.latency_ns);
  if (sample.latency_weight_ns != 0) message.set_latency_weight(sample.latency_weight_ns);
  if (sample.warmup) message.set_warmup(true);
  if (placed.error_index != 0) message.set_error_index(placed.error_index);
}

void WriteSamples(std::vector<PlacedSample>& samples, const WallAnchor& anchor,
                  google::protobuf::RepeatedPtrField<RpcSample>& messages) {
  std::sort(samples.begin(), samples.end(),
            [](const PlacedSample& a, const PlacedSample& b) { return a.Key() < b.Key(); });
  messages.Reserve(static_cast<int>(samples.size()));
  for (const PlacedSample& sample : samples) WriteSample(sample, anchor, *messages.Add());
}

ServicePerformanceLog ServiceLogBuilder::Build(const WallAnchor& anchor) {
  ServicePerformanceLog log;
  if (shards_.empty()) return log;
  const Plan& plan = *shards_.front()->plan;
  WriteIterationTimes(iterations_, plan, log);
  if (pairs_.empty()) return log;
  for (auto& [key, pair] : pairs_) {
    const auto& [server, rpc] = key;
    PeerPerformanceLog& peer = (*log.mutable_peer_logs())[plan.instances[server].name];
    RpcPerformanceLog& rpc_log = (*peer.mutable_rpc_logs())[static_cast<int32_t>(rpc.value())];
    WriteSamples(pair.successes, anchor, *rpc_log.mutable_successful_rpc_samples());
    WriteSamples(pair.failures, anchor, *rpc_log.mutable_failed_rpc_samples());
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

ServicePerformanceLog BuildServiceLog(const std::vector<const Recorder*>& shards,
                                      const WallAnchor& anchor) {
  std::vector<const ShardLog*> logs;
  for (const Recorder* shard : shards) logs.push_back(shard->log_.get());
  return ServiceLogBuilder(logs).Build(anchor);
}

}  // namespace distbench
