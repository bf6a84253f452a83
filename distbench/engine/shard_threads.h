// ShardThreads: the home threads of the shards that all engines of a process share.
//
// Most of a shard's work runs on the driver thread that brings it; a home thread starts main lists
// and takes over an executor whose runner has done its share (SerialExecutor::Relief), so it sleeps
// most of the time. Their number says how many shards each engine has.
#ifndef DISTBENCH_ENGINE_SHARD_THREADS_H_
#define DISTBENCH_ENGINE_SHARD_THREADS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "distbench/base/cpu_list.h"
#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"

namespace distbench {

class ShardThreads {
 public:
  // The home thread of shard i is placed like event loop i. Requires: shard_count >= 1.
  explicit ShardThreads(size_t shard_count, const LoopPlacement& placement = {});
  // Requires: no executor is or will be handed over any more.
  ~ShardThreads();

  size_t shard_count() const { return threads_.size(); }
  SerialExecutor::Relief* relief(ShardIndex shard);

 private:
  class HomeThread;
  std::vector<std::unique_ptr<HomeThread>> threads_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_SHARD_THREADS_H_
