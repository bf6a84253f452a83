#include "distbench/testing/simulated_time.h"

#include <algorithm>
#include <limits>

namespace distbench {

int64_t SimulatedTime::MonotonicNs() const {
  absl::MutexLock lock(&mutex_);
  return now_ns_;
}

void SimulatedTime::Arm(Timer* timer, int64_t deadline_ns) {
  absl::MutexLock lock(&mutex_);
  heap_.Insert(timer, deadline_ns);
}

bool SimulatedTime::Disarm(Timer* timer) {
  absl::MutexLock lock(&mutex_);
  return heap_.Remove(timer);
}

Timer* SimulatedTime::PopDue(int64_t limit_ns) {
  absl::MutexLock lock(&mutex_);
  if (heap_.empty() || heap_.earliest_deadline_ns() > limit_ns) return nullptr;
  now_ns_ = std::max(now_ns_, heap_.earliest_deadline_ns());
  return heap_.PopEarliest();
}

void SimulatedTime::AdvanceTo(int64_t monotonic_ns) {
  while (Timer* timer = PopDue(monotonic_ns)) timer->OnTimer();
  absl::MutexLock lock(&mutex_);
  now_ns_ = std::max(now_ns_, monotonic_ns);
}

void SimulatedTime::StallUntil(int64_t monotonic_ns) {
  absl::MutexLock lock(&mutex_);
  now_ns_ = std::max(now_ns_, monotonic_ns);
}

bool SimulatedTime::RunNextTimer() {
  Timer* timer = PopDue(std::numeric_limits<int64_t>::max());
  if (timer == nullptr) return false;
  timer->OnTimer();
  return true;
}

}  // namespace distbench
