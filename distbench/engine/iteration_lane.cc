#include "distbench/engine/iteration_lane.h"

#include <limits>
#include <utility>
#include <variant>

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/list_run.h"

namespace distbench {
namespace {

// An action without iterations runs once.
const IterationPlan& OncePlan() {
  static const IterationPlan once = {.max_count = 1};
  return once;
}

// Names the streams of an open loop's gaps among those of its action, which belong to iterations:
// none has this number.
constexpr uint64_t kGapStreams = std::numeric_limits<uint64_t>::max();

// Iterations that one task starts at most.
constexpr int kStartsPerTask = 16;

// Sets the random numbers that samples are chosen by apart from those that targets are drawn by: no
// iteration has this number.
constexpr uint64_t kSamplePriorities = 0x8000'0000'0000'0001;

int64_t AddOrForever(int64_t start_ns, std::optional<int64_t> duration_ns) {
  return duration_ns ? start_ns + *duration_ns : std::numeric_limits<int64_t>::max();
}

}  // namespace

void IterationLane::Prepare(const Assignment& assignment) {
  assignment_ = assignment;
  const ActionPlan& action = assignment.run->plan().actions[assignment.action];
  plan_ = action.iterations ? &*action.iterations : &OncePlan();
  open_loop_ = plan_->open_loop.has_value();
  time_limit_ns_ = AddOrForever(assignment.start_ns, plan_->max_duration_ns);
  warmup_end_ns_ = plan_->warmup_ns > 0 ? assignment.start_ns + plan_->warmup_ns
                                        : std::numeric_limits<int64_t>::min();
  const EngineContext& context = assignment.shard->context();
  random_ = CounterRandom({context.seed, context.self.value(), assignment.run->list().value(),
                           assignment.run->number(), assignment.action.value()});
  records_times_ = IsMoreThanOneRpc(action.work);
  is_limited_ = assignment.run->plan().max_rpc_samples.has_value();
  claimed_ = {};
  in_flight_ = 0;
  exhausted_ = false;
  continue_posted_ = false;
  if (open_loop_) {
    if (arrivals_ == nullptr) arrivals_ = std::make_unique<ArrivalSchedule>();
    *arrivals_ = ArrivalSchedule(ArrivalScheduleOptions{.plan = *plan_->open_loop,
                                                        .action_start_ns = assignment.start_ns,
                                                        .anchor = context.anchor(),
                                                        .gaps = random_.Stream(kGapStreams),
                                                        .first = assignment.lane,
                                                        .step = assignment.lanes});
    pacer_ = context.pacer(plan_->open_loop->pacing, assignment.shard->index());
  } else {
    width_ = plan_->max_parallel / assignment.lanes +
             (assignment.lane < plan_->max_parallel % assignment.lanes ? 1 : 0);
  }
}

bool IterationLane::IsMoreThanOneRpc(const ActionWork& work) const {
  const SendRpc* send = std::get_if<SendRpc>(&work);
  if (send == nullptr) return true;
  const EngineContext& context = assignment_.shard->context();
  return MayHaveSeveralTargets(context.plan->rpcs[send->rpc].fanout, *context.targets[send->rpc]);
}

void IterationLane::Start() {
  if (open_loop_) {
    StartDueArrivals();
  } else {
    Pump(std::nullopt);
  }
}

// --- Closed loop

bool IterationLane::MayStartAt(int64_t now_ns) {
  if (assignment_.shard->context().is_cancelled() || now_ns > time_limit_ns_) return false;
  if (claimed_.empty()) claimed_ = assignment_.claims->Claim(width_);
  return !claimed_.empty();
}

void IterationLane::Pump(std::optional<int64_t> known_now_ns) {
  EngineShard& shard = *assignment_.shard;
  pumping_ = true;
  int starts_left = kStartsPerTask;
  while (!exhausted_ && in_flight_ < width_) {
    if (starts_left-- == 0) {
      continue_posted_ = true;
      shard.executor().Post(&continue_task_);
      break;
    }
    const int64_t now_ns = known_now_ns ? *known_now_ns : shard.context().clock->MonotonicNs();
    known_now_ns.reset();
    if (!MayStartAt(now_ns)) {
      exhausted_ = true;
      break;
    }
    Iteration* slot = std::exchange(free_slot_, nullptr);
    if (slot == nullptr) {
      slot = shard.TakeIteration();
      slot->previous_start_ns = 0;
    }
    StartIteration(slot, claimed_.next++, now_ns);
  }
  pumping_ = false;
  if (exhausted_ && free_slot_ != nullptr) {
    shard.ReturnIteration(std::exchange(free_slot_, nullptr));
  }
  shard.context().driver->Flush(shard.index());
  EndIfDrained();
}

void IterationLane::ContinuePumping() {
  continue_posted_ = false;
  Pump(std::nullopt);
}

// --- Open loop

void IterationLane::ArrivalTimer::OnTimer() {
  lane_->assignment_.shard->executor().Post(&lane_->arrival_task_);
}

void IterationLane::OnArrival() {
  assignment_.shard->RemoveWaiting(this);
  StartDueArrivals();
}

void IterationLane::StartDueArrivals() {
  EngineShard& shard = *assignment_.shard;
  const int64_t max_count = plan_->max_count.value_or(std::numeric_limits<int64_t>::max());
  pumping_ = true;
  int starts_left = kStartsPerTask;
  while (true) {
    const int64_t due_ns = arrivals_->due_ns();
    if (shard.context().is_cancelled() || arrivals_->number() >= max_count ||
        due_ns > time_limit_ns_) {
      exhausted_ = true;
      break;
    }
    const int64_t now_ns = shard.context().clock->MonotonicNs();
    if (due_ns > now_ns || starts_left-- == 0) break;
    Iteration* iteration = shard.TakeIteration();
    iteration->intended_start_ns = due_ns;
    StartIteration(iteration, arrivals_->number(), now_ns);
    arrivals_->Advance();
  }
  pumping_ = false;
  shard.context().driver->Flush(shard.index());
  if (!exhausted_) WaitForArrival(/*is_due=*/starts_left < 0);
  EndIfDrained();
}

void IterationLane::WaitForArrival(bool is_due) {
  EngineShard& shard = *assignment_.shard;
  shard.AddWaiting(this);
  if (is_due) {
    shard.executor().Post(&arrival_task_);
  } else {
    pacer_->Arm(&arrival_timer_, arrivals_->due_ns());
  }
}

void IterationLane::StopWaiting() {
  // Otherwise the arrival's task is on its way and finds the traffic cancelled.
  if (!pacer_->Disarm(&arrival_timer_)) return;
  assignment_.shard->RemoveWaiting(this);
  exhausted_ = true;
  EndIfDrained();
}

// --- One iteration

void IterationLane::StartIteration(Iteration* iteration, int64_t number, int64_t now_ns) {
  ++in_flight_;
  iteration->lane = this;
  iteration->number = number;
  iteration->warmup =
      assignment_.run->warmup() || number < plan_->warmup_iterations || now_ns < warmup_end_ns_;
  if (records_times_) iteration->start_ns = now_ns;
  const ActionWork& work = assignment_.run->plan().actions[assignment_.action].work;
  if (const SendRpc* send = std::get_if<SendRpc>(&work)) {
    SendToTargets(send->rpc, iteration, now_ns);
  } else {
    RunNestedList(std::get<RunList>(work).list, iteration);
  }
}

void IterationLane::SendToTargets(RpcIndex rpc, Iteration* iteration, int64_t now_ns) {
  EngineShard& shard = *assignment_.shard;
  EngineContext& context = shard.context();
  const FanoutPlan& fanout = context.plan->rpcs[rpc].fanout;
  const CandidateTargets& candidates = *context.targets[rpc];
  if (HasNoChoice(fanout, candidates)) {
    iteration->outstanding = 1;
    shard.TakeCall()->Send(rpc, candidates.at(0), iteration, now_ns, /*fanout_position=*/0);
    return;
  }
  CounterRandom random = random_.Stream(static_cast<uint64_t>(iteration->number));
  std::vector<InstanceIndex>& targets = shard.target_scratch();
  const uint64_t turn = std::holds_alternative<FanoutRoundRobin>(fanout)
                            ? context.rpc_turns[rpc.value()].fetch_add(1, std::memory_order_relaxed)
                            : 0;
  PickTargets(fanout, candidates, random, turn, &targets);
  iteration->outstanding = static_cast<uint32_t>(targets.size());
  if (targets.empty()) return EndIteration(iteration, std::nullopt);
  int64_t start_ns = now_ns;
  for (uint32_t i = 0; i < targets.size(); ++i) {
    if (i > 0) start_ns = context.clock->MonotonicNs();
    shard.TakeCall()->Send(rpc, targets[i], iteration, start_ns, i);
  }
}

uint64_t IterationLane::SamplePriority(const Iteration& iteration, uint32_t fanout_position) const {
  return random_.Stream(kSamplePriorities)
      .Stream(static_cast<uint64_t>(iteration.number))
      .Stream(fanout_position)();
}

ListIndex IterationLane::list() const { return assignment_.run->list(); }

void IterationLane::RunNestedList(ListIndex list, Iteration* iteration) {
  iteration->outstanding = 1;
  assignment_.shard->TakeRun(list)->StartNested(iteration);
}

void IterationLane::OnPartDone(Iteration* iteration, std::optional<int64_t> now_ns) {
  if (--iteration->outstanding > 0) return;
  if (records_times_) [[unlikely]] {
    return RecordAndEndIteration(iteration, now_ns);
  }
  EndIteration(iteration, now_ns);
}

void IterationLane::RecordAndEndIteration(Iteration* iteration, std::optional<int64_t> now_ns) {
  const int64_t end_ns = now_ns ? *now_ns : assignment_.shard->context().clock->MonotonicNs();
  RecordTimes(*iteration, end_ns);
  EndIteration(iteration, end_ns);
}

// Once traffic is cancelled, what is left of an iteration ends early, or is not even started.
void IterationLane::RecordTimes(const Iteration& iteration, int64_t end_ns) {
  EngineShard& shard = *assignment_.shard;
  if (iteration.warmup || shard.context().is_cancelled() || shard.recorder() == nullptr) return;
  shard.recorder()->RecordIteration({.list = assignment_.run->list(),
                                     .action = assignment_.action,
                                     .open_loop = open_loop_,
                                     .intended_start_ns = iteration.intended_start_ns,
                                     .start_ns = iteration.start_ns,
                                     .end_ns = end_ns});
}

void IterationLane::EndIteration(Iteration* iteration, std::optional<int64_t> now_ns) {
  --in_flight_;
  if (open_loop_ || exhausted_ || free_slot_ != nullptr) {
    assignment_.shard->ReturnIteration(iteration);
  } else {
    free_slot_ = iteration;
  }
  if (pumping_ || continue_posted_) return;
  if (open_loop_) {
    EndIfDrained();
  } else {
    Pump(now_ns);
  }
}

// --- The end. The lane must not be touched after ReportDone: its run may be in use again.

void IterationLane::EndIfDrained() {
  if (!exhausted_ || in_flight_ > 0) return;
  EngineShard& home = *assignment_.run->shard();
  if (&home == assignment_.shard) {
    ReportDone();
  } else {
    home.executor().Post(&done_task_);
  }
}

void IterationLane::ReportDone() { assignment_.run->OnLaneDone(assignment_.action); }

}  // namespace distbench
