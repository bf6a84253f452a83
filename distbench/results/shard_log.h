// ShardLog: what a Recorder keeps, open to the code that turns it into a result.
//
// A pair is an RPC and a server instance that it was sent to. Pairs get a position when they are
// first seen; a table over all that the plan makes possible finds it without a search. Counters are
// kept per pair: adding them up gives those of an RPC. Histograms are kept per RPC, and coarse ones
// per pair.
// Not thread-safe.
#ifndef DISTBENCH_RESULTS_SHARD_LOG_H_
#define DISTBENCH_RESULTS_SHARD_LOG_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/base/strong_index.h"
#include "distbench/config/plan.h"
#include "distbench/results/error_table.h"
#include "distbench/results/histogram.h"
#include "distbench/results/iteration_times.h"
#include "distbench/results/peer_histogram.h"
#include "distbench/results/replay_recorder.h"
#include "distbench/results/row_recorder.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/sample_log.h"
#include "distbench/results/sample_reservoir.h"

namespace distbench {

struct PairLog {
  RpcIndex rpc;
  InstanceIndex server;
  RpcTotals totals;            // error counts by number in the ShardLog's ErrorTable
  PeerHistogram service_time;  // of measured successes
};

class ShardLog {
 public:
  // `sample_store` outlives the log; null: it has its own.
  ShardLog(std::shared_ptr<const Plan> plan, InstanceIndex self, int64_t max_samples,
           SampleStore* sample_store);

  // Position of the pair in `pairs`. Requires: `server` is an instance of the service that answers
  // `rpc`.
  uint32_t PairPosition(RpcIndex rpc, InstanceIndex server) {
    const ServerRange& range = servers_[rpc];
    const uint32_t rank = server.value() - range.first_server;  // huge if before the first
    if (rank >= range.count) [[unlikely]] {
      DieOfNoSuchPair(rpc, server);
    }
    const uint32_t position_plus_one = position_plus_one_[range.first_entry + rank];
    return position_plus_one == 0 ? AddPair(rpc, server) : position_plus_one - 1;
  }

  // What was counted so far, as far as rows of a time series tell of it.
  CountsByRpc CountsSoFar() const;

  const std::shared_ptr<const Plan> plan;
  const InstanceIndex self;  // whose RPCs are recorded
  const std::unique_ptr<SampleStore> own_sample_store;
  HistogramPageSlab slab;
  PeerHistogramPool peer_pool{kPeerPages};
  std::vector<PairLog> pairs;
  IndexedVector<RpcIndex, RpcHistograms> histograms;
  SampleLog samples;
  // Of lists with a limit, instead of `samples`. What is offered to them counts as left out until
  // the shards' choices are merged.
  IndexedVector<ListIndex, std::optional<SampleReservoir>> reservoirs;
  IterationTimesByAction iterations;
  ErrorTable errors;
  RowRecorder rows;
  ReplayRecorder replays;

 private:
  // 8 MiB: the usual span of times to a thousand peers.
  static constexpr size_t kPeerPages = 16 << 10;

  // The servers of one RPC, in the table of positions.
  struct ServerRange {
    uint32_t first_entry = 0;
    uint32_t first_server = 0;
    uint32_t count = 0;
  };

  [[noreturn]] static void DieOfNoSuchPair(RpcIndex rpc, InstanceIndex server);
  uint32_t AddPair(RpcIndex rpc, InstanceIndex server);

  IndexedVector<RpcIndex, ServerRange> servers_;
  std::vector<uint32_t> position_plus_one_;  // 0: not seen yet
};

// Positions of the errors of all shards of an engine in the dictionary of its log: by text, in
// alphabetical order; the empty text has 0.
std::map<std::string, int32_t> NumberErrors(const std::vector<const ShardLog*>& shards);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SHARD_LOG_H_
