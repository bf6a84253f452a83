#include "distbench/engine/replays.h"

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/iteration_lane.h"

namespace distbench {

ReplayRun* Replays::TakeRun(TraceIndex trace) {
  ReplayRun* run = pools_[trace.value()].Take(shard_, trace);
  run->position = running_.size();
  running_.push_back(run);
  return run;
}

void Replays::ReturnRun(ReplayRun* run) {
  running_[run->position] = running_.back();
  running_[run->position]->position = run->position;
  running_.pop_back();
  pools_[run->trace().value()].Return(run);
}

ReplayCall* Replays::TakeCall() {
  ReplayCall* call = calls_.Take(shard_);
  shard_->BeginRpc();
  return call;
}

void Replays::ReturnCall(ReplayCall* call) {
  calls_.Return(call);
  shard_->EndRpc();
}

void Replays::Stop(StopLevel level) {
  // A run that ends leaves the list.
  const std::vector<ReplayRun*> running = running_;
  for (ReplayRun* run : running) {
    if (run->iteration()->lane->stops_at() <= level) run->Stop();
  }
}

void Replays::RecordAbandoned() const {
  for (const ReplayRun* run : running_) run->RecordAbandoned();
}

}  // namespace distbench
