// Replays: the runs of replay traces on one shard, and the calls that they send; both are pooled.
//
// Belongs to its shard's tasks.
#ifndef DISTBENCH_ENGINE_REPLAYS_H_
#define DISTBENCH_ENGINE_REPLAYS_H_

#include <vector>

#include "distbench/base/indices.h"
#include "distbench/base/object_pool.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/replay_call.h"
#include "distbench/engine/replay_run.h"

namespace distbench {

class EngineShard;

class Replays {
 public:
  // `traces`: of the plan.
  Replays(EngineShard* shard, size_t traces) : shard_(shard), pools_(traces) {}

  // Requires: the instance's service is the trace's client.
  ReplayRun* TakeRun(TraceIndex trace);
  void ReturnRun(ReplayRun* run);

  ReplayCall* TakeCall();
  void ReturnCall(ReplayCall* call);

  // Ends the runs that stop at this level.
  void Stop(StopLevel level);

  // Records what is in flight as abandoned.
  void RecordAbandoned() const;

 private:
  EngineShard* const shard_;
  std::vector<ObjectPool<ReplayRun>> pools_;  // by trace
  ObjectPool<ReplayCall> calls_;
  std::vector<ReplayRun*> running_;  // in no order; each knows its position
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REPLAYS_H_
