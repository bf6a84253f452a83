// Pacers: the threads that start the iterations of open loops, for all engines of a process.
//
//   sleep    one thread for each shard, which sleeps until the next start; no CPU is burnt
//   spin     one thread for the process, which spins while any such loop waits for a start
//   hybrid   one thread for the process, which sleeps until shortly before a start, then spins
//
// A pacer starts calls itself (SerialExecutor::Post runs the task where it is posted), so there is
// no wake-up between the moment and the call. Threads that spin are not given one to each shard:
// however many actions and engines there are, they burn one CPU and leave the others to the event
// loops, and one thread starts about a million calls a second on a driver that takes no time.
//
// A thread is made when it is first asked for and sleeps while no loop waits. Thread-safe.
#ifndef DISTBENCH_ENGINE_PACERS_H_
#define DISTBENCH_ENGINE_PACERS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/clock.h"
#include "distbench/base/cpu_list.h"
#include "distbench/base/indices.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/config/plan.h"

namespace distbench {

struct PacersOptions {
  const SystemClock* clock = nullptr;  // outlives the pacers
  size_t shard_count = 1;              // that of the engines
  LoopPlacement placement;             // of the process's event loops, which pacers keep away from
};

class Pacers {
 public:
  explicit Pacers(const PacersOptions& options);
  // Requires: no iteration waits for its start.
  ~Pacers();

  // Whose thread starts the iterations of `shard` that are paced so. Lives as long as this object.
  TimerService* For(Pacing pacing, ShardIndex shard);

 private:
  using Slot = std::unique_ptr<ThreadTimerService>;
  TimerService* InSlot(Slot* slot, TimerThreadOptions options);

  const PacersOptions options_;
  absl::Mutex mutex_;
  std::vector<Slot> sleeping_ ABSL_GUARDED_BY(mutex_);  // by shard
  Slot spinning_ ABSL_GUARDED_BY(mutex_);
  Slot hybrid_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_PACERS_H_
