// LoopSets: the event loops of a process, shared by all drivers that ask for the same kind.
//
// A set is made when the first driver asks for it and lives as long as the process's factory, so
// that a process without tcp drivers has no threads for them, and threads do not grow with drivers.
// Thread-safe.
#ifndef DISTBENCH_DRIVER_TCP_LOOP_SET_H_
#define DISTBENCH_DRIVER_TCP_LOOP_SET_H_

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/cpu_list.h"
#include "distbench/driver/tcp/event_loop.h"

namespace distbench {

struct LoopSetKind {
  size_t threads = 1;
  PollMode poll = PollMode::kBlock;

  friend auto operator<=>(const LoopSetKind&, const LoopSetKind&) = default;
};

// Some loops, numbered from 0. Immutable.
class LoopSet {
 public:
  LoopSet(const LoopSetKind& kind, const LoopPlacement& placement);

  size_t size() const { return loops_.size(); }
  EventLoop& operator[](size_t i) const { return *loops_[i]; }

 private:
  std::vector<std::unique_ptr<EventLoop>> loops_;
};

class LoopSets {
 public:
  explicit LoopSets(const LoopPlacement& placement) : placement_(placement) {}

  // The set lives as long as this object.
  const LoopSet& Get(const LoopSetKind& kind);

 private:
  const LoopPlacement placement_;
  absl::Mutex mutex_;
  std::map<LoopSetKind, std::unique_ptr<const LoopSet>> sets_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_LOOP_SET_H_
