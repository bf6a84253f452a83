#include "distbench/base/thread_timer_service.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <chrono>

namespace distbench {

ThreadTimerService::ThreadTimerService(const SystemClock& clock)
    : clock_(clock), thread_([this] { RunThread(); }) {}

ThreadTimerService::~ThreadTimerService() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ThreadTimerService::Arm(Timer* timer, int64_t deadline_ns) {
  bool is_earliest;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_earliest = heap_.empty() || deadline_ns < heap_.earliest_deadline_ns();
    heap_.Insert(timer, deadline_ns);
  }
  // The thread itself looks at the heap again before it sleeps.
  if (is_earliest && std::this_thread::get_id() != thread_.get_id()) changed_.notify_one();
}

bool ThreadTimerService::Disarm(Timer* timer) {
  std::lock_guard<std::mutex> lock(mutex_);
  return heap_.Remove(timer);
}

void ThreadTimerService::RunThread() {
  pthread_setname_np(pthread_self(), "db-timer");
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    if (heap_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const int64_t deadline_ns = heap_.earliest_deadline_ns();
    if (clock_.MonotonicNs() < deadline_ns) {
      changed_.wait_until(lock, std::chrono::time_point<std::chrono::steady_clock>(
                                    std::chrono::nanoseconds(deadline_ns)));
      continue;
    }
    Timer* timer = heap_.PopEarliest();
    lock.unlock();
    timer->OnTimer();
    lock.lock();
  }
}

}  // namespace distbench
