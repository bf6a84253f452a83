// The samples that lists with a limit (max_rpc_samples) keep, over all shards of an engine.
#ifndef DISTBENCH_RESULTS_LIMITED_SAMPLES_H_
#define DISTBENCH_RESULTS_LIMITED_SAMPLES_H_

#include <cstddef>
#include <vector>

#include "distbench/results/sample_log.h"
#include "distbench/results/shard_log.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

struct KeptSample {
  size_t shard = 0;  // position; pair and error of the sample are that shard's numbers
  Sample sample;
  const TracePath* trace = nullptr;  // in that shard's log; null: the RPC was not traced
};

// By list; the same choice whatever shard recorded what. Requires: the shards have the same plan.
std::vector<KeptSample> KeptSamples(const std::vector<const ShardLog*>& shards);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_LIMITED_SAMPLES_H_
