#include "distbench/driver/tcp/loop_set.h"

namespace distbench {

LoopSet::LoopSet(const LoopSetKind& kind, const LoopPlacement& placement) {
  for (size_t i = 0; i < kind.threads; ++i) {
    loops_.push_back(std::make_unique<EventLoop>(
        EventLoopOptions{.number = i, .poll = kind.poll, .placement = placement}));
  }
}

const LoopSet& LoopSets::Get(const LoopSetKind& kind) {
  absl::MutexLock lock(&mutex_);
  std::unique_ptr<const LoopSet>& set = sets_[kind];
  if (set == nullptr) set = std::make_unique<const LoopSet>(kind, placement_);
  return *set;
}

}  // namespace distbench
