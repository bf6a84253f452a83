// CompletionThreads: a set of event loops that grpc drivers of a process share: completion queues,
// and the threads that poll them.
//
// All servers and channels that use a set use all its queues, so that neither threads nor polling
// grows with nodes, instances or calls. While a thread polls its queue it also reads and writes the
// sockets. With one thread a queue, which is the rule, the events of a queue come one after
// another.
#ifndef DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_
#define DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_

#include <grpc/grpc.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "distbench/base/cpu_list.h"
#include "distbench/base/strong_index.h"

namespace distbench {

using QueueIndex = StrongIndex<struct QueueIndexTag>;  // of one set of loops

struct CompletionThreadsOptions {
  size_t queues = 1;             // at least one
  size_t threads_per_queue = 1;  // at least one
  LoopPlacement placement;       // thread t of queue q is loop q * threads_per_queue + t
  std::string name = "db-grpc";  // of the threads, with the loop's number behind it
};

class CompletionThreads {
 public:
  explicit CompletionThreads(const CompletionThreadsOptions& options);

  // Joins the threads. Operations that are still under way get a second to complete; a queue with
  // operations left after that is leaked, since gRPC would write to it.
  ~CompletionThreads();

  size_t size() const { return loops_.size(); }  // queues
  grpc_completion_queue* queue(QueueIndex index) const;

  // Whether a queue has several threads, so that its events may come at the same time.
  bool has_shared_queues() const { return has_shared_queues_; }

 private:
  class Loop;
  const bool has_shared_queues_;
  std::vector<std::unique_ptr<Loop>> loops_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_COMPLETION_THREADS_H_
