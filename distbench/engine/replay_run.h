// ReplayRun: one run of a replay trace on one instance: an iteration of an action.
//
//   a step:  Waiting --all its priors have started (ended)--> Due --its time comes--> InFlight
//                                                                                        |
//                                  steps that wait for its end <-- Ended <---------------'
//
//   the run:  Sending --next step is due later--> timer armed --.
//              ^   |'--enough for one task--> posted -----------|
//              |   '--nothing is due--> waits for calls --------|
//              '------------------------------------------------'
//              '--nothing is due or in flight--> its iteration hears, and the run is free
//
// A step counts from the latest start (end) among its priors; a failed RPC has ended like any
// other. When traffic is stopped, what is due is dropped, and calls in flight are cancelled.
//
// One timer serves all steps, however many are due later. Belongs to a shard and is pooled there.
// Only OnTimer runs elsewhere.
#ifndef DISTBENCH_ENGINE_REPLAY_RUN_H_
#define DISTBENCH_ENGINE_REPLAY_RUN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/base/timer.h"
#include "distbench/config/plan.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/replay_schedule.h"

namespace distbench {

class EngineShard;
class ReplayCall;
struct ReplayRunLog;

class ReplayRun final : public Timer, public SerialExecutor::Task {
 public:
  ReplayRun(EngineShard* shard, TraceIndex trace);

  // As the iteration's only part, which hears of the end.
  void Start(Iteration* iteration, int64_t now_ns);

  // The call's task.
  void OnCallDone(ReplayCall* call);

  // Traffic was stopped, at the level at which the run stops.
  void Stop();

  // Records the calls that are in flight as abandoned.
  void RecordAbandoned() const;

  TraceIndex trace() const { return trace_; }
  const Iteration* iteration() const { return iteration_; }

  size_t position = 0;  // among the shard's runs

  void OnTimer() override;
  void Run() override;

 private:
  struct StepState {
    uint32_t waiting_for = 0;  // priors
    int64_t origin_ns = 0;     // the latest of them so far
  };
  struct DueStep {
    int64_t due_ns = 0;
    uint32_t step = 0;
  };
  enum class Wait { kNothing, kTimer, kTask };

  void PlanSteps();
  void AddDue(uint32_t step, int64_t origin_ns);
  DueStep TakeDue();
  void SendDue();
  void Send(const DueStep& due, int64_t now_ns);
  void Release(const std::vector<uint32_t>& steps, int64_t origin_ns);
  void WaitForDue(bool is_due);
  bool StopWaiting();
  void Record(const ReplayCall& call);
  void Remove(ReplayCall* call);
  bool is_stopped() const;
  void EndIfOver();

  EngineShard* const shard_;
  const TraceIndex trace_;
  const ReplayTracePlan& plan_;
  const ReplaySchedule& schedule_;
  Iteration* iteration_ = nullptr;
  int64_t start_ns_ = 0;
  ReplayRunLog* log_ = nullptr;  // the recorder's; null: the run has none
  TimerService* pacer_ = nullptr;
  std::vector<StepState> states_;  // by step
  std::vector<DueStep> due_;       // a heap, the earliest first
  std::vector<ReplayCall*> in_flight_;
  Wait wait_ = Wait::kNothing;
  int64_t armed_ns_ = 0;  // the timer, while it is awaited
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REPLAY_RUN_H_
