// ThreadWatch: looks at the number of threads of the process every 100 ms, as long as anybody wants
// to know, and tells those whose limit it exceeds.
//
//   idle --Begin()--> looking each 100 ms --the last watch ends--> idle
//
// One for a process, however many nodes and tests it has: a look is one system call. Thread-safe.
#ifndef DISTBENCH_NODE_THREAD_WATCH_H_
#define DISTBENCH_NODE_THREAD_WATCH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/clock.h"
#include "distbench/base/timer.h"

namespace distbench {

struct ThreadWatchOptions {
  const Clock* clock = nullptr;  // outlives the watch, as do the timers
  TimerService* timers = nullptr;
  std::function<int64_t()> count_threads;
};

class ThreadWatch final : private Timer {
 public:
  explicit ThreadWatch(ThreadWatchOptions options) : options_(std::move(options)) {}
  // Requires: all watches have ended.
  ~ThreadWatch();

  // Threads that the process has now.
  int64_t threads() const { return options_.count_threads(); }

  // Lasts as long as this lives; nothing is called after that.
  class Watch {
   public:
    Watch(ThreadWatch* watch, uint64_t number) : watch_(watch), number_(number) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    // Not within `on_exceeded`.
    ~Watch() { watch_->End(number_); }

   private:
    ThreadWatch* const watch_;
    const uint64_t number_;
  };

  // `on_exceeded` is called once, with the number of threads, if that is seen above `max_threads`;
  // on the timers' thread, without a lock. Must not block.
  std::unique_ptr<Watch> Begin(int64_t max_threads, std::function<void(int64_t)> on_exceeded);

 private:
  struct Limit {
    int64_t max_threads = 0;
    std::function<void(int64_t)> on_exceeded;  // null once it was called
  };

  void OnTimer() override ABSL_LOCKS_EXCLUDED(mutex_);
  void End(uint64_t number) ABSL_LOCKS_EXCLUDED(mutex_);
  void ArmTimer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const ThreadWatchOptions options_;
  absl::Mutex mutex_;
  std::map<uint64_t, Limit> limits_ ABSL_GUARDED_BY(mutex_);  // by number of the watch
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  bool is_looking_ ABSL_GUARDED_BY(mutex_) = false;  // the timer is armed, or runs
  bool is_telling_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_THREAD_WATCH_H_
