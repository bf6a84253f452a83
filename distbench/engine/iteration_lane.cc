#include "distbench/engine/iteration_lane.h"

#include <limits>
#include <utility>
#include <variant>

#include "distbench/activity/cpu_work.h"
#include "distbench/engine/antagonist.h"
#include "distbench/engine/call_extras.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/list_run.h"
#include "distbench/engine/posted_function.h"
#include "distbench/engine/random_streams.h"

namespace distbench {
namespace {

// An action without iterations runs once.
const IterationPlan& OncePlan() {
  static const IterationPlan once = {.max_count = 1};
  return once;
}

// Iterations that one task starts at most.
constexpr int kStartsPerTask = 16;

// A closed loop that takes a CPU. One iteration, and what is started by the clock, is no loop.
bool IsAntagonist(const Plan& plan, const ActionPlan& action) {
  const auto* run = std::get_if<RunActivity>(&action.work);
  return run != nullptr && action.iterations && !action.iterations->open_loop &&
         NeedsCpu(plan.activities[run->activity].work);
}

// How much later than the bursts themselves an instance's spread bursts are.
int64_t SpreadNs(const EngineContext& context, const ActionPlan& action) {
  const Plan& plan = *context.plan;
  const InstancePlan& self = plan.instances[context.self];
  const auto* send = std::get_if<SendRpc>(&action.work);
  const ServiceIndex targets = send == nullptr ? self.service : plan.rpcs[send->rpc].server;
  const double share =
      static_cast<double>(self.rank) / static_cast<double>(plan.services[targets].count);
  return static_cast<int64_t>(share *
                              static_cast<double>(action.iterations->open_loop->interval_ns));
}

int64_t AddOrForever(int64_t start_ns, std::optional<int64_t> duration_ns) {
  return duration_ns ? start_ns + *duration_ns : std::numeric_limits<int64_t>::max();
}

}  // namespace

IterationLane::IterationLane() = default;

IterationLane::~IterationLane() = default;

void IterationLane::Prepare(const Assignment& assignment) {
  assignment_ = assignment;
  const ListRun& run = *assignment.run;
  const ActionPlan& action = run.plan().actions[assignment.action];
  plan_ = action.iterations ? &*action.iterations : &OncePlan();
  open_loop_ = plan_->open_loop.has_value();
  time_limit_ns_ = AddOrForever(assignment.start_ns, plan_->max_duration_ns);
  warmup_end_ns_ = plan_->warmup_ns > 0 ? assignment.start_ns + plan_->warmup_ns
                                        : std::numeric_limits<int64_t>::min();
  const EngineContext& context = assignment.shard->context();
  stops_at_ = run.is_main() ? kMainListsStop : kEverythingStops;
  random_ = run.stream().Stream(assignment.action.value());
  records_times_ = RecordsTimes(action.work);
  is_limited_ = run.plan().max_rpc_samples.has_value();
  if (const auto* send = std::get_if<SendRpc>(&action.work)) {
    const RpcPlan& rpc = context.plan->rpcs[send->rpc];
    has_extras_ = run.trace() != nullptr || HasExtras(context, action, send->rpc);
    needs_turn_ = rpc.tracing_interval > 0 || std::holds_alternative<FanoutRoundRobin>(rpc.fanout);
  }
  is_antagonist_ = IsAntagonist(*context.plan, action);
  claimed_ = {};
  in_flight_ = 0;
  exhausted_ = false;
  continue_posted_ = false;
  has_begun_ = false;
  if (open_loop_) {
    PrepareArrivals(action);
  } else {
    width_ = plan_->max_parallel / assignment.lanes +
             (assignment.lane < plan_->max_parallel % assignment.lanes ? 1 : 0);
  }
}

void IterationLane::PrepareArrivals(const ActionPlan& action) {
  const EngineContext& context = assignment_.shard->context();
  if (arrivals_ == nullptr) arrivals_ = std::make_unique<ArrivalSchedule>();
  *arrivals_ = ArrivalSchedule(ArrivalScheduleOptions{.plan = *plan_->open_loop,
                                                      .action_start_ns = assignment_.start_ns,
                                                      .anchor = context.anchor(),
                                                      .spread_ns = SpreadNs(context, action),
                                                      .gaps = random_.Stream(kGaps),
                                                      .first = assignment_.lane,
                                                      .step = assignment_.lanes});
}

// An RPC that has a single target is all that its iteration is; so is an action that does nothing.
bool IterationLane::RecordsTimes(const ActionWork& work) const {
  if (std::holds_alternative<DoNothing>(work)) return false;
  const SendRpc* send = std::get_if<SendRpc>(&work);
  if (send == nullptr) return true;
  const EngineContext& context = assignment_.shard->context();
  return MayHaveSeveralTargets(context.plan->rpcs[send->rpc].fanout, *context.targets[send->rpc]);
}

bool IterationLane::is_stopped() const { return assignment_.shard->context().stops(stops_at_); }

void IterationLane::Post(Step step) {
  next_step_ = step;
  assignment_.shard->executor().Post(&task_);
}

// --- The beginning

void IterationLane::Start() {
  if (assignment_.delay_ns == 0) return Begin();
  EngineShard& shard = *assignment_.shard;
  if (assignment_.run->plan().actions[assignment_.action].delay_spins) {
    shard.TakeStep()->Spin(assignment_.delay_ns, this);
  } else if (is_stopped()) {
    Begin();
  } else {
    pacer_ = shard.context().pacer(Pacing::kSleep, shard.index());
    shard.AddWaiting(this);
    pacer_->Arm(&arrival_timer_, assignment_.start_ns);
  }
}

void IterationLane::Begin() {
  has_begun_ = true;
  if (open_loop_) {
    EngineShard& shard = *assignment_.shard;
    pacer_ = shard.context().pacer(plan_->open_loop->pacing, shard.index());
    StartDueArrivals();
  } else if (is_antagonist_) {
    BeginAntagonist();
  } else {
    Pump(std::nullopt);
  }
}

void IterationLane::BeginAntagonist() {
  const ActionPlan& action = assignment_.run->plan().actions[assignment_.action];
  next_step_ = &IterationLane::OnAntagonistDone;
  antagonist_ = std::make_unique<Antagonist>(
      AntagonistOptions{.shard = assignment_.shard,
                        .activity = std::get<RunActivity>(action.work).activity,
                        .claims = assignment_.claims,
                        .threads = width_,
                        .time_limit_ns = time_limit_ns_,
                        .stop = StopCondition(&assignment_.shard->context().stop_level, stops_at_),
                        .done = &task_});
  antagonist_->Start();
}

void IterationLane::OnAntagonistDone() {
  assignment_.shard->EndOutside();
  antagonist_ = nullptr;
  exhausted_ = true;
  EndIfDrained();
}

// --- Closed loop

bool IterationLane::MayStartAt(int64_t now_ns) {
  if (is_stopped() || now_ns > time_limit_ns_) return false;
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
      Post(&IterationLane::ContinuePumping);
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

void IterationLane::ArrivalTimer::OnTimer() { lane_->Post(&IterationLane::OnArrival); }

void IterationLane::OnArrival() {
  assignment_.shard->RemoveWaiting(this);
  if (!has_begun_) return Begin();
  StartDueArrivals();
}

void IterationLane::StartDueArrivals() {
  EngineShard& shard = *assignment_.shard;
  const int64_t max_count = plan_->max_count.value_or(std::numeric_limits<int64_t>::max());
  pumping_ = true;
  int starts_left = kStartsPerTask;
  while (true) {
    const int64_t due_ns = arrivals_->due_ns();
    if (is_stopped() || arrivals_->number() >= max_count || due_ns > time_limit_ns_) {
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
    Post(&IterationLane::OnArrival);
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
  } else if (const RunList* nested = std::get_if<RunList>(&work)) {
    RunNestedList(nested->list, iteration);
  } else if (const RunActivity* activity = std::get_if<RunActivity>(&work)) {
    iteration->outstanding = 1;
    assignment_.shard->TakeStep()->Start(activity->activity, iteration, now_ns);
  } else if (const ReplayTrace* replay = std::get_if<ReplayTrace>(&work)) {
    assignment_.shard->replays().TakeRun(replay->trace)->Start(iteration, now_ns);
  } else {
    EndIteration(iteration, std::nullopt);
  }
}

uint64_t IterationLane::TurnOf(RpcIndex rpc, const Iteration& iteration) {
  EngineContext& context = assignment_.shard->context();
  if (context.iteration_is_turn[rpc]) return static_cast<uint64_t>(iteration.number);
  return context.rpc_turns[rpc.value()].fetch_add(1, std::memory_order_relaxed);
}

inline void IterationLane::Send(const RpcOrder& order, bool starts_trace) {
  if (has_extras_ || starts_trace) [[unlikely]] {
    return SendWithExtras(order, starts_trace);
  }
  assignment_.shard->TakeCall()->Send(order);
}

void IterationLane::SendToTargets(RpcIndex rpc, Iteration* iteration, int64_t now_ns) {
  EngineShard& shard = *assignment_.shard;
  EngineContext& context = shard.context();
  const RpcPlan& plan = context.plan->rpcs[rpc];
  const CandidateTargets& candidates = *context.targets[rpc];
  const uint64_t turn = needs_turn_ ? TurnOf(rpc, *iteration) : 0;
  const bool starts_trace = needs_turn_ && plan.tracing_interval > 0 &&
                            turn % static_cast<uint64_t>(plan.tracing_interval) == 0;
  RpcOrder order = {.rpc = rpc, .target = {}, .iteration = iteration, .start_ns = now_ns};
  if (HasNoChoice(plan.fanout, candidates)) {
    iteration->outstanding = 1;
    order.target = candidates.at(0);
    return Send(order, starts_trace);
  }
  CounterRandom random = random_.Stream(static_cast<uint64_t>(iteration->number));
  std::vector<InstanceIndex>& targets = shard.target_scratch();
  PickTargets(plan.fanout, candidates, random, turn, &targets);
  iteration->outstanding = static_cast<uint32_t>(targets.size());
  if (targets.empty()) return EndIteration(iteration, std::nullopt);
  for (uint32_t i = 0; i < targets.size(); ++i) {
    if (i > 0) order.start_ns = context.clock->MonotonicNs();
    order.target = targets[i];
    order.fanout_position = i;
    Send(order, starts_trace);
  }
}

void IterationLane::SendWithExtras(const RpcOrder& order, bool starts_trace) {
  RpcCall* call = assignment_.shard->TakeCall();
  const EngineContext& context = assignment_.shard->context();
  const ListRun& run = *assignment_.run;
  const int64_t number = order.iteration->number;
  call->SendWithExtras(order,
                       DrawExtras({.context = context,
                                   .action = run.plan().actions[assignment_.action],
                                   .rpc = order.rpc,
                                   .target = order.target,
                                   .stream = random_.Stream(static_cast<uint64_t>(number)),
                                   .hop = {.engine_id = context.self.value(),
                                           .list_index = run.list().value(),
                                           .list_invocation = static_cast<int64_t>(run.number()),
                                           .action_index = assignment_.action.value(),
                                           .iteration = number,
                                           .fanout_index = order.fanout_position},
                                   .cause = run.trace(),
                                   .starts_trace = starts_trace}));
}

uint64_t IterationLane::SamplePriority(const Iteration& iteration, uint32_t fanout_position) const {
  return random_.Stream(kSamplePriorities)
      .Stream(static_cast<uint64_t>(iteration.number))
      .Stream(fanout_position)();
}

ListIndex IterationLane::list() const { return assignment_.run->list(); }

uint64_t IterationLane::NestedRunKey(const Iteration& iteration) const {
  return random_.Stream(static_cast<uint64_t>(iteration.number)).Stream(kNestedRuns)();
}

void IterationLane::RunNestedList(ListIndex list, Iteration* iteration) {
  iteration->outstanding = 1;
  EngineShard* shard = assignment_.shard;
  ListRun* nested = shard->TakeRun(list);
  if (assignment_.run->depth() % kDepthPerTask < kDepthPerTask - 1) {
    return nested->StartNested(iteration);
  }
  PostExpected(shard, [nested, iteration] { nested->StartNested(iteration); });
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
  if (iteration.warmup || is_stopped() || shard.recorder() == nullptr) return;
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
    next_step_ = &IterationLane::ReportDone;
    home.executor().Post(&task_);
  }
}

void IterationLane::ReportDone() { assignment_.run->OnLaneDone(assignment_.action); }

}  // namespace distbench
