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
#include "distbench/engine/activity_step.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/list_run.h"
#include "distbench/engine/replays.h"
#include "distbench/engine/rpc_call.h"
#include "distbench/results/recorder.h"
#include "distbench/results/served_recorder.h"

namespace distbench {

class DelayedAnswer;

class EngineShard {
 public:
  EngineShard(EngineContext* context, ShardIndex index, SerialExecutor::Relief* relief,
              std::unique_ptr<Recorder> recorder);

  EngineContext& context() { return *context_; }
  ShardIndex index() const { return index_; }
  SerialExecutor& executor() { return executor_; }

  // Cancels the calls in flight and ends the waits that stop at this level. At most once for each
  // level. Requires: the context says that it has come.
  void PostStop(StopLevel level) {
    if (level == kMainListsStop) return executor_.Post(&stop_main_task_);
    executor_.Post(&stop_all_task_);
  }

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

  // What is sent counts as outstanding from one to the other.
  void BeginRpc();
  void EndRpc();

  Replays& replays() { return replays_; }

  Iteration* TakeIteration() { return iterations_.Take(); }
  void ReturnIteration(Iteration* iteration) { iterations_.Return(iteration); }

  ActivityStep* TakeStep();
  void ReturnStep(ActivityStep* step);

  ListRun* TakeRun(ListIndex list);
  void ReturnRun(ListRun* run);

  // Steps that sleep.
  void AddSleeping(ActivityStep* step);
  void RemoveSleeping(ActivityStep* step);

  // Replayed requests that wait for their time.
  void AddDelayed(DelayedAnswer* answer);
  void RemoveDelayed(DelayedAnswer* answer);

  // Lanes that wait for an arrival, or for their delay to pass.
  void AddWaiting(IterationLane* lane);
  void RemoveWaiting(IterationLane* lane);

  // Work for this shard that is done elsewhere, or later, and comes back as a task.
  void BeginOutside() { ++outside_; }
  void EndOutside() { --outside_; }

  // Whether something may still come back.
  bool expects_something() const {
    return waiting_lanes_ != nullptr || delayed_ != nullptr || outside_ > 0;
  }

  // Room to pick targets in, valid until the next use.
  std::vector<InstanceIndex>& target_scratch() { return target_scratch_; }

 private:
  void StopMainLists() { Stop(kMainListsStop); }
  void StopEverything() { Stop(kEverythingStops); }
  void Stop(StopLevel level);
  void StopDelayed();
  void NotifyIfIdle();

  EngineContext* const context_;
  const ShardIndex index_;
  std::unique_ptr<Recorder> recorder_;
  ServedRecorder served_;
  ObjectPool<RpcCall> calls_;
  ObjectPool<Iteration> iterations_;
  ObjectPool<ActivityStep> steps_;
  Replays replays_;
  std::vector<ObjectPool<ListRun>> runs_;   // by list
  RpcCall* in_flight_ = nullptr;            // doubly linked
  IterationLane* waiting_lanes_ = nullptr;  // doubly linked
  DelayedAnswer* delayed_ = nullptr;        // doubly linked
  std::vector<ActivityStep*> sleeping_;     // in no order; each knows its position
  int64_t outside_ = 0;
  int64_t active_runs_ = 0;
  std::atomic<int64_t> pending_rpcs_{0};  // written by the shard's tasks only
  std::function<void()> idle_callback_;
  std::vector<InstanceIndex> target_scratch_;
  MemberTask<EngineShard, &EngineShard::StopMainLists> stop_main_task_{this};
  MemberTask<EngineShard, &EngineShard::StopEverything> stop_all_task_{this};
  SerialExecutor executor_;  // last: destroyed first, waits for its runner
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ENGINE_SHARD_H_
