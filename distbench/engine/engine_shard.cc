#include "distbench/engine/engine_shard.h"

#include <utility>

#include "distbench/engine/delayed_answer.h"
#include "distbench/engine/iteration_lane.h"

namespace distbench {

EngineShard::EngineShard(EngineContext* context, ShardIndex index, SerialExecutor::Relief* relief,
                         std::unique_ptr<Recorder> recorder)
    : context_(context),
      index_(index),
      recorder_(std::move(recorder)),
      served_(context->plan->rpcs.size()),
      replays_(this, context->plan->traces.size()),
      runs_(context->plan->lists.size()),
      executor_(relief) {}

RpcCall* EngineShard::TakeCall() {
  RpcCall* call = calls_.Take(this);
  call->LinkBefore(&in_flight_);
  BeginRpc();
  return call;
}

void EngineShard::ReturnCall(RpcCall* call) {
  call->Unlink(&in_flight_);
  calls_.Return(call);
  EndRpc();
}

void EngineShard::BeginRpc() {
  const int64_t pending = pending_rpcs_.load(std::memory_order_relaxed) + 1;
  pending_rpcs_.store(pending, std::memory_order_relaxed);
  if (pending > context_->pending_rpcs_per_shard) context_->control->CheckPendingRpcs();
}

void EngineShard::EndRpc() {
  pending_rpcs_.store(pending_rpcs_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  NotifyIfIdle();
}

ActivityStep* EngineShard::TakeStep() {
  BeginOutside();
  return steps_.Take(this);
}

void EngineShard::ReturnStep(ActivityStep* step) {
  EndOutside();
  steps_.Return(step);
}

void EngineShard::AddSleeping(ActivityStep* step) {
  step->sleeping_position = sleeping_.size();
  sleeping_.push_back(step);
}

void EngineShard::RemoveSleeping(ActivityStep* step) {
  sleeping_[step->sleeping_position] = sleeping_.back();
  sleeping_[step->sleeping_position]->sleeping_position = step->sleeping_position;
  sleeping_.pop_back();
}

ListRun* EngineShard::TakeRun(ListIndex list) {
  ++active_runs_;
  return runs_[list.value()].Take(this, list);
}

void EngineShard::ReturnRun(ListRun* run) {
  --active_runs_;
  runs_[run->list().value()].Return(run);
  NotifyIfIdle();
}

void EngineShard::AddWaiting(IterationLane* lane) {
  lane->previous_waiting = nullptr;
  lane->next_waiting = waiting_lanes_;
  if (waiting_lanes_ != nullptr) waiting_lanes_->previous_waiting = lane;
  waiting_lanes_ = lane;
}

void EngineShard::RemoveWaiting(IterationLane* lane) {
  if (lane->next_waiting != nullptr) lane->next_waiting->previous_waiting = lane->previous_waiting;
  if (lane->previous_waiting != nullptr) {
    lane->previous_waiting->next_waiting = lane->next_waiting;
  } else {
    waiting_lanes_ = lane->next_waiting;
  }
}

void EngineShard::AddDelayed(DelayedAnswer* answer) {
  answer->next_waiting = delayed_;
  if (delayed_ != nullptr) delayed_->previous_waiting = answer;
  delayed_ = answer;
}

void EngineShard::RemoveDelayed(DelayedAnswer* answer) {
  if (answer->next_waiting != nullptr) {
    answer->next_waiting->previous_waiting = answer->previous_waiting;
  }
  if (answer->previous_waiting != nullptr) {
    answer->previous_waiting->next_waiting = answer->next_waiting;
  } else {
    delayed_ = answer->next_waiting;
  }
}

// They answer, and leave the list, in tasks of their own.
void EngineShard::StopDelayed() {
  for (DelayedAnswer* answer = delayed_; answer != nullptr; answer = answer->next_waiting) {
    answer->Stop();
  }
}

void EngineShard::Stop(StopLevel level) {
  // An end inside CancelCall is a task for later: the list stays as it is meanwhile.
  for (RpcCall* call = in_flight_; call != nullptr; call = call->next_in_flight()) {
    if (call->iteration()->lane->stops_at() <= level) context_->driver->CancelCall(call);
  }
  // So is the end of a step.
  const std::vector<ActivityStep*> sleeping = sleeping_;
  for (ActivityStep* step : sleeping) {
    if (step->iteration()->lane->stops_at() <= level) step->StopSleeping();
  }
  replays_.Stop(level);
  if (level == kEverythingStops) StopDelayed();
  // Each may take others off the list, or end a whole run.
  std::vector<IterationLane*> lanes;
  for (IterationLane* lane = waiting_lanes_; lane != nullptr; lane = lane->next_waiting) {
    if (lane->stops_at() <= level) lanes.push_back(lane);
  }
  for (IterationLane* lane : lanes) lane->StopWaiting();
}

std::unique_ptr<Recorder> EngineShard::TakeRecorder() {
  for (RpcCall* call = in_flight_; call != nullptr; call = call->next_in_flight()) {
    recorder_->RecordAbandoned(call->rpc(), call->peer);
  }
  if (recorder_ != nullptr) replays_.RecordAbandoned();
  return std::move(recorder_);
}

void EngineShard::NotifyWhenIdle(std::function<void()> callback) {
  idle_callback_ = std::move(callback);
  NotifyIfIdle();
}

void EngineShard::NotifyIfIdle() {
  if (idle_callback_ == nullptr || active_runs_ > 0 || pending_rpcs() > 0) return;
  std::exchange(idle_callback_, nullptr)();
}

}  // namespace distbench
