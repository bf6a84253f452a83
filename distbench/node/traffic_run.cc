#include "distbench/node/traffic_run.h"

#include <utility>

namespace distbench {

TrafficRun::TrafficRun(Options options)
    : options_(std::move(options)), running_(options_.engine_count) {
  if (running_ == 0) GiveUp(absl::OkStatus());
}

void TrafficRun::OnEngineDone(const absl::Status& status) {
  const bool overload = absl::IsResourceExhausted(status);
  bool tell_overload = false;
  bool tell_end = false;
  absl::Status outcome;
  {
    absl::MutexLock lock(&mutex_);
    if (ended_) return;
    if (status_.ok() || (overload && !absl::IsResourceExhausted(status_))) status_ = status;
    --running_;
    tell_end = running_ == 0;
    tell_overload = overload && !std::exchange(overload_told_, true);
    ended_ = tell_end;
    outcome = status_;
  }
  if (tell_overload) options_.on_overload(status);
  if (tell_end) options_.done(outcome);
}

void TrafficRun::GiveUp(const absl::Status& reason) {
  {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(ended_, true)) return;
  }
  options_.done(reason);
}

bool TrafficRun::WaitUntilEnded(absl::Time deadline) {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(&ended_), deadline);
}

bool TrafficRun::has_ended() {
  absl::MutexLock lock(&mutex_);
  return ended_;
}

}  // namespace distbench
