// What the recorders of an engine saw of replayed RPCs, as ReplayStatistics and RpcReplayTraceLogs.
#ifndef DISTBENCH_RESULTS_REPLAY_WRITER_H_
#define DISTBENCH_RESULTS_REPLAY_WRITER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "distbench/base/clock.h"
#include "distbench/results/shard_log.h"

namespace distbench {

class ServicePerformanceLog;

// Adds what all shards of an engine replayed together, in order of the traces and of the runs'
// starts. `error_indices` is that of NumberErrors.
void WriteReplays(const std::vector<const ShardLog*>& shards,
                  const std::map<std::string, int32_t>& error_indices, const WallAnchor& anchor,
                  ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_REPLAY_WRITER_H_
