// ActivityStep: one iteration of an activity, or a delay that spins: something that a shard waits
// for while a worker or a timer does it.
//
//   Free --Sleep--> timer armed --passed, or traffic stopped--.
//    ^                                                         v
//    |----Work, Spin--> on a worker ----------------> posted to the shard --> told --> Free
//                 '---no thread, which ends the traffic---^
//
// Belongs to a shard and is pooled there. Only OnTimer and RunOnWorker run elsewhere.
#ifndef DISTBENCH_ENGINE_ACTIVITY_STEP_H_
#define DISTBENCH_ENGINE_ACTIVITY_STEP_H_

#include <cstddef>
#include <cstdint>

#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/base/timer.h"
#include "distbench/config/plan.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/job_queue.h"

namespace distbench {

class EngineShard;
class IterationLane;

class ActivityStep final : public SerialExecutor::Task, public Timer, public JobQueue::Job {
 public:
  explicit ActivityStep(EngineShard* shard) : shard_(shard) {}

  // Does `activity` once, as the iteration's only part, which hears of the end.
  void Start(ActivityIndex activity, Iteration* iteration, int64_t now_ns);

  // Burns CPU time before `lane` begins, which hears of the end.
  void Spin(int64_t cpu_time_ns, IterationLane* lane);

  // Traffic was stopped: it has slept enough.
  void StopSleeping();

  const Iteration* iteration() const { return iteration_; }

  size_t sleeping_position = 0;  // the shard's, while it sleeps

  void OnTimer() override;
  void RunOnWorker() override;
  void Run() override;

 private:
  void GiveToWorker();

  EngineShard* const shard_;
  ActivityIndex activity_;
  Iteration* iteration_ = nullptr;  // of the activity; null: this is a delay
  IterationLane* lane_ = nullptr;
  int64_t spin_ns_ = 0;  // of a delay
  bool sleeps_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ACTIVITY_STEP_H_
