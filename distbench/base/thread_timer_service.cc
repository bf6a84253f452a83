#include "distbench/base/thread_timer_service.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <limits>

namespace distbench {

ThreadTimerService::ThreadTimerService(const SystemClock& clock, const TimerThreadOptions& options)
    : deadline_(clock, options.spin_before_ns),
      thread_([this, placement = options.placement] { RunThread(placement); }) {
  pthread_setname_np(thread_.native_handle(), options.name.c_str());
}

ThreadTimerService::~ThreadTimerService() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    FollowHeap();
  }
  thread_.join();
}

void ThreadTimerService::Arm(Timer* timer, int64_t deadline_ns) {
  absl::MutexLock lock(&mutex_);
  heap_.Insert(timer, deadline_ns);
  FollowHeap();
}

bool ThreadTimerService::Disarm(Timer* timer) {
  absl::MutexLock lock(&mutex_);
  if (!heap_.Remove(timer)) return false;
  FollowHeap();
  return true;
}

void ThreadTimerService::FollowHeap() {
  constexpr int64_t kAtOnce = std::numeric_limits<int64_t>::min();
  if (stopping_) return deadline_.Set(kAtOnce);
  deadline_.Set(heap_.empty() ? TimerDeadline::kNever : heap_.earliest_deadline_ns());
}

Timer* ThreadTimerService::TakeDue(int64_t now_ns, bool* stopping) {
  absl::MutexLock lock(&mutex_);
  *stopping = stopping_;
  if (heap_.empty() || heap_.earliest_deadline_ns() > now_ns) return nullptr;
  Timer* timer = heap_.PopEarliest();
  FollowHeap();
  return timer;
}

void ThreadTimerService::RunThread(const LoopPlacement& placement) {
  placement.LeaveLoops();
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  bool stopping = false;
  while (!stopping) {
    Timer* timer = TakeDue(deadline_.Await(), &stopping);
    if (timer != nullptr) timer->OnTimer();
  }
}

}  // namespace distbench
