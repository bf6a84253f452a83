#include "distbench/engine/replay_run.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/iteration_lane.h"
#include "distbench/engine/replay_call.h"
#include "distbench/results/replay_recorder.h"

namespace distbench {
namespace {

// Steps that one task sends at most.
constexpr int kSendsPerTask = 16;

// Of a heap whose front is the earliest; steps that are due together go in order.
template <typename DueStep>
bool IsLater(const DueStep& a, const DueStep& b) {
  return a.due_ns != b.due_ns ? a.due_ns > b.due_ns : a.step > b.step;
}

}  // namespace

ReplayRun::ReplayRun(EngineShard* shard, TraceIndex trace)
    : shard_(shard),
      trace_(trace),
      plan_(shard->context().plan->traces[trace]),
      schedule_(*shard->context().replays[trace]) {}

bool ReplayRun::is_stopped() const { return iteration_->lane->is_stopped(); }

// --- Steps

void ReplayRun::Start(Iteration* iteration, int64_t now_ns) {
  iteration_ = iteration;
  iteration->outstanding = 1;
  start_ns_ = now_ns;
  pacer_ = shard_->context().pacer(Pacing::kSleep, shard_->index());
  log_ = nullptr;
  if (shard_->recorder() != nullptr) {
    log_ = shard_->recorder()->replays().BeginRun({.trace = trace_,
                                                   .rpcs = schedule_.steps.size(),
                                                   .start_ns = now_ns,
                                                   .warmup = iteration->warmup,
                                                   .cause = iteration->lane->run()->trace()});
  }
  PlanSteps();
  SendDue();
}

void ReplayRun::PlanSteps() {
  const int64_t traffic_start_ns = shard_->context().ReplayOriginNs().value_or(start_ns_);
  states_.resize(schedule_.steps.size());
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const ReplayStep& step = schedule_.steps[i];
    states_[i] = {.waiting_for = step.priors, .origin_ns = std::numeric_limits<int64_t>::min()};
    if (step.priors > 0) continue;
    AddDue(i, step.counts_from_traffic ? traffic_start_ns : start_ns_);
  }
}

void ReplayRun::AddDue(uint32_t step, int64_t origin_ns) {
  const int64_t delay_ns = plan_.records[schedule_.steps[step].record].delay_ns;
  due_.push_back({.due_ns = origin_ns + delay_ns, .step = step});
  std::push_heap(due_.begin(), due_.end(), IsLater<DueStep>);
}

ReplayRun::DueStep ReplayRun::TakeDue() {
  std::pop_heap(due_.begin(), due_.end(), IsLater<DueStep>);
  const DueStep due = due_.back();
  due_.pop_back();
  return due;
}

void ReplayRun::Release(const std::vector<uint32_t>& steps, int64_t origin_ns) {
  for (const uint32_t step : steps) {
    StepState& state = states_[step];
    state.origin_ns = std::max(state.origin_ns, origin_ns);
    if (--state.waiting_for == 0) AddDue(step, state.origin_ns);
  }
}

// --- Sending

void ReplayRun::SendDue() {
  EngineContext& context = shard_->context();
  int sends_left = kSendsPerTask;
  while (!due_.empty() && sends_left > 0 && !is_stopped()) {
    const int64_t now_ns = context.clock->MonotonicNs();
    if (due_.front().due_ns > now_ns) break;
    --sends_left;
    Send(TakeDue(), now_ns);
  }
  context.driver->Flush(shard_->index());
  if (is_stopped()) due_.clear();
  if (due_.empty()) return EndIfOver();
  WaitForDue(/*is_due=*/sends_left == 0);
}

void ReplayRun::Send(const DueStep& due, int64_t now_ns) {
  const ReplayStep& step = schedule_.steps[due.step];
  const ReplayRecordPlan& record = plan_.records[step.record];
  ReplayCall* call = shard_->replays().TakeCall();
  call->position = in_flight_.size();
  in_flight_.push_back(call);
  call->Send({.run = this,
              .step = due.step,
              .record = record,
              .rpc = {.trace = trace_,
                      .record = step.record,
                      .server = TargetOf(*shard_->context().plan, plan_, record),
                      .warmup = iteration_->warmup,
                      .intended_start_ns = due.due_ns,
                      .start_ns = now_ns}});
  Release(step.after_start, now_ns);
}

void ReplayRun::WaitForDue(bool is_due) {
  shard_->BeginOutside();
  if (is_due) {
    wait_ = Wait::kTask;
    shard_->executor().Post(this);
  } else {
    wait_ = Wait::kTimer;
    armed_ns_ = due_.front().due_ns;
    pacer_->Arm(this, armed_ns_);
  }
}

void ReplayRun::OnTimer() { shard_->executor().Post(this); }

void ReplayRun::Run() {
  shard_->EndOutside();
  wait_ = Wait::kNothing;
  SendDue();
}

// False: the run's task is on its way.
bool ReplayRun::StopWaiting() {
  if (wait_ == Wait::kNothing) return true;
  if (wait_ == Wait::kTask || !pacer_->Disarm(this)) return false;
  shard_->EndOutside();
  wait_ = Wait::kNothing;
  return true;
}

// --- Ends

void ReplayRun::OnCallDone(ReplayCall* call) {
  Record(*call);
  Release(schedule_.steps[call->step()].after_end, call->rpc().end_ns);
  Remove(call);
  const bool timer_will_do =
      wait_ == Wait::kTimer && !is_stopped() && due_.front().due_ns >= armed_ns_;
  if (timer_will_do || !StopWaiting()) return;
  SendDue();
}

void ReplayRun::Record(const ReplayCall& call) {
  if (shard_->recorder() == nullptr) return;
  ReplayRecorder& recorder = shard_->recorder()->replays();
  const CallOutcome& outcome = call.outcome();
  if (outcome.is_success()) {
    recorder.RecordSuccess(call.rpc(), log_);
  } else if (is_stopped() && outcome.is_cancellation()) {
    recorder.RecordCancelled(trace_, call.rpc().server);
  } else {
    recorder.RecordFailure(call.rpc(), outcome.ErrorText(), log_);
  }
}

void ReplayRun::RecordAbandoned() const {
  for (const ReplayCall* call : in_flight_) {
    shard_->recorder()->replays().RecordAbandoned(trace_, call->rpc().server);
  }
}

void ReplayRun::Remove(ReplayCall* call) {
  in_flight_[call->position] = in_flight_.back();
  in_flight_[call->position]->position = call->position;
  in_flight_.pop_back();
  shard_->replays().ReturnCall(call);
}

void ReplayRun::Stop() {
  // An end inside CancelCall is a task for later: the calls stay as they are meanwhile.
  for (ReplayCall* call : in_flight_) shard_->context().driver->CancelCall(call);
  if (StopWaiting()) SendDue();
}

// The run must not be touched afterwards: it may be in use again.
void ReplayRun::EndIfOver() {
  if (!in_flight_.empty()) return;
  Iteration* iteration = iteration_;
  shard_->replays().ReturnRun(this);
  iteration->lane->OnPartDone(iteration, std::nullopt);
}

}  // namespace distbench
