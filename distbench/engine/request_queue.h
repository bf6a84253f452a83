// RequestQueue: decides when an instance works on the requests of RPCs with a server_dispatch, and
// on which threads.
//
//                 room                                      the run has ended
//   Add --------------------> in service: on a thread, if  ----------------> the first that waits
//    |                        there are any, then as a task                  takes its place
//    |  no room               of the run's own shard
//    '--------> waits, in the order of coming, whatever the shard
//
//   mode            in service at a time       threads
//   kThreadPool     as many as threads         a pool
//   kSerialQueue    one                        a pool of one
//   kFreshThread    as many as come            one for each
//
// The thread of a request begins the run (which is a task of its shard like any other) and does the
// activities that take a CPU. Without the process's workers, as on simulated time, there are no
// threads: their work is done on the spot.
//
// Too many that wait, or threads, end the traffic, and so does a thread that cannot be started.
// Once that is cancelled nobody waits.
#ifndef DISTBENCH_ENGINE_REQUEST_QUEUE_H_
#define DISTBENCH_ENGINE_REQUEST_QUEUE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/config/plan.h"
#include "distbench/engine/job_queue.h"
#include "distbench/engine/workers.h"

namespace distbench {

class ListRun;
class RequestQueue;
class RequestThread;
struct EngineContext;

// A run's part in it; embedded in the run, and used again with it. Belongs to the run's shard, but
// for RunOnWorker().
class RequestTurn final : public SerialExecutor::Task, public JobQueue::Job {
 public:
  explicit RequestTurn(ListRun* run) : run_(run) {}

  // Null: the run is none that was dispatched, or has no threads of its own.
  JobQueue* threads() const { return threads_; }

  // The run has ended. Nothing happens to one that was not dispatched.
  void End() {
    if (queue_ != nullptr) [[unlikely]] {
      EndDispatched();
    }
  }

  void RunOnWorker() override;
  void Run() override;

 private:
  friend class RequestQueue;

  void EndDispatched();

  ListRun* const run_;
  RequestQueue* queue_ = nullptr;  // set: dispatched
  JobQueue* threads_ = nullptr;
  RequestThread* own_thread_ = nullptr;
};

// Thread-safe. Lives as long as the engine.
class RequestQueue {
 public:
  // Requires: not kInline. `name` is for messages.
  RequestQueue(EngineContext* context, const DispatchPlan& plan, std::string name);

  // Starts the run, which has its request, now or later. From a task of the run's shard.
  void Add(ListRun* run) ABSL_LOCKS_EXCLUDED(mutex_);

  // The traffic was cancelled: starts all that wait; their runs end at once.
  void StartAll() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  friend class RequestTurn;

  enum class Entry { kInService, kWaits, kTooMany };
  Entry Enter(RequestTurn* turn) ABSL_LOCKS_EXCLUDED(mutex_);
  void Leave() ABSL_LOCKS_EXCLUDED(mutex_);
  void Begin(RequestTurn* turn);
  absl::Status GiveToThread(RequestTurn* turn);
  void EndOverload();

  EngineContext& context_;
  const std::string name_;
  const bool makes_threads_;
  const size_t most_in_service_;
  const size_t most_waiting_;
  std::unique_ptr<Workers> pool_;  // null: there are none, or each has its own

  absl::Mutex mutex_;
  size_t in_service_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<RequestTurn*> waiting_ ABSL_GUARDED_BY(mutex_);
};

// Those of one engine: one for each RPC that it serves and dispatches, but one for all that are
// serial. Constant after construction.
class RequestQueues {
 public:
  // The context is complete, and outlives the queues.
  explicit RequestQueues(EngineContext* context);

  // Null: requests of this RPC are not dispatched.
  RequestQueue* For(RpcIndex rpc) const { return by_rpc_[rpc]; }

  void StartAll();

 private:
  std::vector<std::unique_ptr<RequestQueue>> queues_;
  IndexedVector<RpcIndex, RequestQueue*> by_rpc_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REQUEST_QUEUE_H_
