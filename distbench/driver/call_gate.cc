#include "distbench/driver/call_gate.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace distbench {
namespace {

// Waits until `is_true()`, looking often at first and then once a millisecond.
template <typename Predicate>
bool Poll(absl::Time deadline, Predicate is_true) {
  constexpr absl::Duration kLongestPause = absl::Milliseconds(1);
  absl::Duration pause = absl::Microseconds(10);
  while (!is_true()) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return false;
    absl::SleepFor(std::min(pause, left));
    pause = std::min(2 * pause, kLongestPause);
  }
  return true;
}

}  // namespace

CallGate::CallGate(size_t shard_count)
    : shard_count_(shard_count), shards_(std::make_unique<Shard[]>(shard_count)) {}

bool CallGate::AwaitEmpty(absl::Time deadline) const {
  return Poll(deadline, [this] { return OpenCalls() == 0 && RunningCallbacks() == 0; });
}

int64_t CallGate::Detach() {
  detached_.store(true);
  Poll(absl::InfiniteFuture(), [this] { return RunningCallbacks() == 0; });
  return static_cast<int64_t>(OpenCalls());
}

uint64_t CallGate::OpenCalls() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < shard_count_; ++i) sum += shards_[i].word.load() & (kCallback - 1);
  return sum;
}

uint64_t CallGate::RunningCallbacks() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < shard_count_; ++i) sum += shards_[i].word.load() / kCallback;
  return sum;
}

}  // namespace distbench
