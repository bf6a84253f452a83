// IterationLane: runs the iterations of one action on one shard.
//
// An action of a main list may be spread over several lanes, one a shard, that share its iteration
// numbers; every other action has one lane, on the shard of its list's run.
//
//   Closed loop: `width` iterations at a time. Each that ends makes room for the next.
//
//                 room, number and time left
//                .------ start iteration <-----.
//     Start --> Pump                            |
//                '--- nothing left ---> Draining '--- iteration ended
//                                          | last one ended
//                                          v
//                                         Done --> ListRun::OnLaneDone
//
//   An action with a delay waits first, for a timer or while a worker spins. A closed loop of an
//   activity that takes a CPU is run by threads of its own (engine/antagonist.h).
//
//   Open loop: a timer for each arrival, at the shard's pacer of the kind that the action asks for;
//   its thread starts whatever is due, however much is outstanding. After the last arrival the lane
//   drains like the closed loop. Lane k of n takes arrivals k, k+n, ...
//
// Either way a task starts only so many iterations; the rest is a task of its own behind those that
// wait, so that ends are seen even where starts never cease.
//
// Belongs to its shard's tasks, except Prepare(), which the run's shard calls before it starts it.
#ifndef DISTBENCH_ENGINE_ITERATION_LANE_H_
#define DISTBENCH_ENGINE_ITERATION_LANE_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/base/timer.h"
#include "distbench/config/plan.h"
#include "distbench/engine/arrival_schedule.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/iteration_claims.h"
#include "distbench/sampling/counter_random.h"

namespace distbench {

class Antagonist;
class EngineShard;
class ListRun;
struct RpcOrder;

class IterationLane {
 public:
  struct Assignment {
    EngineShard* shard = nullptr;  // where the lane runs
    ListRun* run = nullptr;        // outlives the lane's work
    ActionIndex action;
    IterationClaims* claims = nullptr;  // shared by the action's lanes
    int64_t start_ns = 0;               // of the action: its limits and arrivals count from here
    int64_t delay_ns = 0;               // that lies before start_ns
    int64_t lane = 0;                   // of `lanes`
    int64_t lanes = 1;
  };

  IterationLane();
  ~IterationLane();

  void Prepare(const Assignment& assignment);

  // On the lane's own shard.
  void Start();

  // To be posted to the lane's shard, instead of Start(), by the shard of the run.
  SerialExecutor::Task* start_task() {
    next_step_ = &IterationLane::Start;
    return &task_;
  }

  // A call or a nested run of `iteration` has ended. `now_ns` is the present time, if known.
  void OnPartDone(Iteration* iteration, std::optional<int64_t> now_ns);

  // A delay that spun has passed.
  void OnDelayOver() { Begin(); }

  // Traffic was stopped: no arrival needs to be waited for.
  void StopWaiting();

  bool open_loop() const { return open_loop_; }
  ListRun* run() const { return assignment_.run; }

  // The first level at which nothing is started here any more; whether that has come.
  StopLevel stops_at() const { return stops_at_; }
  bool is_stopped() const;

  // Names the random numbers of the list that an iteration runs.
  uint64_t NestedRunKey(const Iteration& iteration) const;

  // Whether the list keeps the samples of some of its RPCs only; which list it is, and by which
  // number of each RPC it chooses.
  bool is_limited() const { return is_limited_; }
  ListIndex list() const;
  uint64_t SamplePriority(const Iteration& iteration, uint32_t fanout_position) const;

  // Links of the shard's list of lanes that wait for arrivals.
  IterationLane* next_waiting = nullptr;
  IterationLane* previous_waiting = nullptr;

 private:
  class ArrivalTimer final : public Timer {
   public:
    explicit ArrivalTimer(IterationLane* lane) : lane_(lane) {}
    void OnTimer() override;

   private:
    IterationLane* const lane_;
  };

  // What this lane's task does when it is posted: one thing at a time.
  class LaneTask final : public SerialExecutor::Task {
   public:
    explicit LaneTask(IterationLane* lane) : lane_(lane) {}
    void Run() override { (lane_->*lane_->next_step_)(); }

   private:
    IterationLane* const lane_;
  };
  using Step = void (IterationLane::*)();

  void Post(Step step);
  void PrepareArrivals(const ActionPlan& action);
  void Begin();
  void BeginAntagonist();
  void OnAntagonistDone();
  void OnArrival();
  void Pump(std::optional<int64_t> known_now_ns);
  void ContinuePumping();
  bool MayStartAt(int64_t now_ns);
  void StartDueArrivals();
  void WaitForArrival(bool is_due);
  void StartIteration(Iteration* iteration, int64_t number, int64_t now_ns);
  void SendToTargets(RpcIndex rpc, Iteration* iteration, int64_t now_ns);
  uint64_t TurnOf(RpcIndex rpc, const Iteration& iteration);
  void Send(const RpcOrder& order, bool starts_trace);
  void SendWithExtras(const RpcOrder& order, bool starts_trace);
  void RunNestedList(ListIndex list, Iteration* iteration);
  bool RecordsTimes(const ActionWork& work) const;
  void RecordTimes(const Iteration& iteration, int64_t end_ns);
  void RecordAndEndIteration(Iteration* iteration, std::optional<int64_t> now_ns);
  void EndIteration(Iteration* iteration, std::optional<int64_t> now_ns);
  void EndIfDrained();
  void ReportDone();

  Assignment assignment_;
  const IterationPlan* plan_ = nullptr;
  bool open_loop_ = false;
  bool records_times_ = false;  // of iterations, which are more than one RPC each
  bool is_limited_ = false;
  bool has_extras_ = false;  // every RPC of the action
  bool needs_turn_ = false;  // every iteration of it
  bool has_begun_ = false;   // after its delay
  bool is_antagonist_ = false;
  StopLevel stops_at_ = kEverythingStops;
  CounterRandom random_ =
      CounterRandom({0});  // of this action of this run; each iteration has a stream of it
  // Open loop: made for the first one that this lane runs. A suspended run has a lane for each of
  // its actions, most of which are no open loops.
  std::unique_ptr<ArrivalSchedule> arrivals_;
  std::unique_ptr<Antagonist> antagonist_;
  TimerService* pacer_ = nullptr;  // open loop and delay: whose thread starts what is due
  int64_t width_ = 1;              // closed loop: iterations at a time
  int64_t time_limit_ns_ = 0;
  int64_t warmup_end_ns_ = 0;
  IterationClaims::Batch claimed_;
  int64_t in_flight_ = 0;
  bool exhausted_ = false;          // nothing is started any more
  bool continue_posted_ = false;    // Pump goes on in a task of its own
  bool pumping_ = false;            // an iteration that ends now is followed up by the loop in Pump
  Iteration* free_slot_ = nullptr;  // ended within Pump, to be used next
  ArrivalTimer arrival_timer_{this};
  Step next_step_ = nullptr;  // of the task
  LaneTask task_{this};
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ITERATION_LANE_H_
