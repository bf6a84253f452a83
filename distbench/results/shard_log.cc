#include "distbench/results/shard_log.h"

#include <utility>

#include "distbench/results/row_counts.h"
#include "glog/logging.h"

namespace distbench {
namespace {

void AddOutcomes(const PerOutcome<OutcomeTotals>& outcomes, RowTotals& totals) {
  const OutcomeTotals& successes = outcomes[Outcome::kMeasuredSuccess];
  totals.measured_successes += successes.count;
  totals.request_bytes += successes.request_bytes;
  totals.response_bytes += successes.response_bytes;
  totals.failures +=
      outcomes[Outcome::kMeasuredFailure].count + outcomes[Outcome::kWarmupFailure].count;
  totals.warmup_successes += outcomes[Outcome::kWarmupSuccess].count;
}

}  // namespace

ShardLog::ShardLog(std::shared_ptr<const Plan> shared_plan, InstanceIndex own_instance,
                   int64_t max_samples, SampleStore* sample_store)
    : plan(std::move(shared_plan)),
      self(own_instance),
      own_sample_store(sample_store == nullptr ? std::make_unique<SampleStore>() : nullptr),
      histograms(plan->rpcs.size()),
      samples(sample_store == nullptr ? own_sample_store.get() : sample_store, max_samples),
      rows(plan->rpcs.size()),
      replays(plan->traces.size(), &errors, &slab) {
  for (const ActionListPlan& list : plan->lists) {
    std::optional<SampleReservoir> reservoir;
    if (list.max_rpc_samples.has_value()) reservoir.emplace(*list.max_rpc_samples);
    reservoirs.push_back(std::move(reservoir));
  }
  uint32_t entries = 0;
  for (const RpcPlan& rpc : plan->rpcs) {
    const ServicePlan& server = plan->services[rpc.server];
    const uint32_t count = static_cast<uint32_t>(server.count);
    servers_.push_back(
        {.first_entry = entries, .first_server = server.first.value(), .count = count});
    entries += count;
  }
  position_plus_one_.resize(entries);
}

void ShardLog::DieOfNoSuchPair(RpcIndex rpc, InstanceIndex server) {
  LOG(FATAL) << "instance " << server.value() << " does not answer RPC " << rpc.value();
}

uint32_t ShardLog::AddPair(RpcIndex rpc, InstanceIndex server) {
  const auto position = static_cast<uint32_t>(pairs.size());
  const ServerRange& range = servers_[rpc];
  position_plus_one_[range.first_entry + server.value() - range.first_server] = position + 1;
  pairs.push_back(
      {.rpc = rpc, .server = server, .totals = {}, .service_time = PeerHistogram(peer_pool)});
  return position;
}

std::map<std::string, int32_t> NumberErrors(const std::vector<const ShardLog*>& shards) {
  std::map<std::string, int32_t> indices;
  for (const ShardLog* shard : shards) {
    for (const std::string& text : shard->errors.texts()) indices.emplace(text, 0);
  }
  int32_t next = 0;
  for (auto& [text, index] : indices) index = next++;
  return indices;
}

CountsByRpc ShardLog::CountsSoFar() const {
  CountsByRpc counts(plan->rpcs.size());
  for (const PairLog& pair : pairs) AddOutcomes(pair.totals.outcomes, counts[pair.rpc].totals);
  for (size_t i = 0; i < histograms.size(); ++i) {
    const RpcIndex rpc(i);
    const OutcomeHistograms* recorded = histograms[rpc].Find(Outcome::kMeasuredSuccess);
    if (recorded == nullptr) continue;
    counts[rpc].totals.service_time_sum_ns = recorded->service_time.totals().sum;
    counts[rpc].service_times = RowBucketsOf(recorded->service_time);
  }
  return counts;
}

}  // namespace distbench
