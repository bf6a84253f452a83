#include "distbench/results/shard_log.h"

#include <utility>

#include "glog/logging.h"

namespace distbench {

ShardLog::ShardLog(std::shared_ptr<const Plan> shared_plan, int64_t max_samples,
                   SampleMemory* sample_memory)
    : plan(std::move(shared_plan)),
      own_sample_memory(sample_memory == nullptr ? std::make_unique<SampleMemory>() : nullptr),
      histograms(plan->rpcs.size()),
      samples(sample_memory == nullptr ? own_sample_memory.get() : sample_memory, max_samples) {
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

uint32_t ShardLog::PairPosition(RpcIndex rpc, InstanceIndex server) {
  CHECK_LT(rpc.value(), servers_.size());
  const ServerRange& range = servers_[rpc];
  const uint32_t rank = server.value() - range.first_server;  // huge if before the first
  CHECK_LT(rank, range.count);
  uint32_t& entry = position_plus_one_[range.first_entry + rank];
  if (entry == 0) [[unlikely]] {
    entry = AddPair(rpc, server) + 1;
  }
  return entry - 1;
}

uint32_t ShardLog::AddPair(RpcIndex rpc, InstanceIndex server) {
  pairs.push_back(
      {.rpc = rpc, .server = server, .totals = {}, .service_time = PeerHistogram(peer_pool)});
  return static_cast<uint32_t>(pairs.size() - 1);
}

}  // namespace distbench
