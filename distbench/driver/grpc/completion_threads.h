// CompletionThreads: the event loops that all grpc drivers of a process share: for each shard one
// completion queue and one thread that polls it.
//
// All servers listen on all queues and all channels use all queues, so that neither threads nor
// polling grows with nodes, instances or calls. While a thread polls its queue it also reads and
// writes the sockets.
#ifndef DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_
#define DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_

#include <grpc/grpc.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "distbench/base/indices.h"

namespace distbench {

class CompletionThreads {
 public:
  // Requires: count >= 1.
  explicit CompletionThreads(size_t count);

  // Joins the threads. Operations that are still under way get a second to complete; a queue with
  // operations left after that is leaked, since gRPC would write to it.
  ~CompletionThreads();

  size_t size() const { return loops_.size(); }
  grpc_completion_queue* queue(ShardIndex shard) const;

 private:
  class Loop;
  const std::vector<std::unique_ptr<Loop>> loops_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_
