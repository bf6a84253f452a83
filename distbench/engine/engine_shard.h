// EngineShard: the part of an engine that one event loop runs: its executor, what it has in
// flight, its pools and its recorder.
//
// An iteration, a server's list run and all their calls belong to one shard from start to end, and
// only tasks of its executor touch them. Post*, pending_rpcs() and served() are thread-safe;
// everything else is for the shard's own tasks.
#ifndef DISTBENCH_ENGINE_ENGINE_SHARD_H_
#define DISTBENCH_ENGINE_ENGINE_SHARD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/base/object_pool.h"
#include "distbench/base/serial_executor.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/list_run.h"
#include "distbench/engine/rpc_call.h"
#include "distbench/results/recorder.h"
#include "distbench/results/served_recorder.h"

namespace distbench {

class EngineShard {
 public:
  EngineShard(EngineContext* context, ShardIndex index, SerialExecutor::Relief* relief,
              std::unique_ptr<Recorder> recorder);

  EngineContext& context() { return *context_; }
  ShardIndex index() const { return index_; }
  SerialExecutor& executor() { return executor_; }

  // Cancels every call in flight and stops waiting for arrivals. At most once.
  // Requires: the context is cancelled.
  void PostCancel() { executor_.Post(&cancel_task_); }

  int64_t pending_rpcs() const { return pending_rpcs_.load(std::memory_order_relaxed); }

  // Of the requests that arrive here, wherever they are answered.
  ServedRecorder& served() { return served_; }

  // --- For the shard's tasks

  // Null once the results were taken: what ends later is not recorded.
  Recorder* recorder() { return recorder_.get(); }

  // What was recorded, with the calls that are still in flight as abandoned.
  std::unique_ptr<Recorder> TakeRecorder();

  // Calls `callback` (from a task) as soon as no list runs and no call is in flight.
  void NotifyWhenIdle(std::function<void()> callback);

  RpcCall* TakeCall();
  void ReturnCall(RpcCall* call);

  Iteration* TakeIteration() { return iterations_.Take(); }
  void ReturnIteration(Iteration* iteration) { iterations_.Return(iteration); }

  ListRun* TakeRun(ListIndex list);
  void ReturnRun(ListRun* run);

  // Lanes that wait for an arrival.
  void AddWaiting(IterationLane* lane);
  void RemoveWaiting(IterationLane* lane);
  bool has_waiting() const { return waiting_lanes_ != nullptr; }

  // Room to pick targets in, valid until the next use.
  std::vector<InstanceIndex>& target_scratch() { return target_scratch_; }

 private:
  void Cancel();
  void NotifyIfIdle();

  EngineContext* const context_;
  const ShardIndex index_;
  std::unique_ptr<Recorder> recorder_;
  ServedRecorder served_;
  ObjectPool<RpcCall> calls_;
  ObjectPool<Iteration> iterations_;
  std::vector<ObjectPool<ListRun>> runs_;   // by list
  RpcCall* in_flight_ = nullptr;            // doubly linked
  IterationLane* waiting_lanes_ = nullptr;  // doubly linked
  int64_t active_runs_ = 0;
  std::atomic<int64_t> pending_rpcs_{0};  // written by the shard's tasks only
  std::function<void()> idle_callback_;
  std::vector<InstanceIndex> target_scratch_;
  MemberTask<EngineShard, &EngineShard::Cancel> cancel_task_{this};
  SerialExecutor executor_;  // last: destroyed first, waits for its runner
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ENGINE_SHARD_H_
