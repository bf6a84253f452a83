// CallGate: counts the calls that one side of a driver has open, so that its Stop can end.
//
// Stop's promise has three parts, and the gate keeps each: new calls are refused (Close), calls
// that are open may end until a deadline (AwaitEmpty), and no callback into the engine runs or
// begins after that (Detach), whatever has not ended.
//
//   client                                  server
//   if (!gate.Enter(s)) refuse;             if (!gate.EnterInCallback(s)) refuse;
//   ... the call ends:                      handler->OnRequest(...);
//   if (gate.BeginCallback(s)) {            gate.EndCallback(s);
//     call->OnCallDone(...);                ... the answer is sent:
//     gate.EndCallbackAndLeave(s);          gate.Leave(s);
//   } else {
//     gate.Leave(s);  // abandoned
//   }
//
// Each shard counts in a cache line of its own: a call costs three uncontended additions and no
// lock. The last thing that a call does is one subtraction, after which the gate may be gone:
// therefore Stop looks at the counts from time to time instead of being woken up.
//
// Thread-safe.
#ifndef DISTBENCH_DRIVER_CALL_GATE_H_
#define DISTBENCH_DRIVER_CALL_GATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/time/time.h"
#include "distbench/base/indices.h"

namespace distbench {

class CallGate {
 public:
  explicit CallGate(size_t shard_count);

  // Opens a call. False if refused because of Close().
  bool Enter(ShardIndex shard) { return TryAdd(shard, kCall, closed_); }

  // Opens a call and begins a callback that announces it. False if refused because of Close().
  bool EnterInCallback(ShardIndex shard) { return TryAdd(shard, kCall + kCallback, closed_); }

  // Begins a callback for an open call. False after Detach(): it must not be called back.
  bool BeginCallback(ShardIndex shard) { return TryAdd(shard, kCallback, detached_); }

  void EndCallback(ShardIndex shard) { Subtract(shard, kCallback); }
  void EndCallbackAndLeave(ShardIndex shard) { Subtract(shard, kCall + kCallback); }
  void Leave(ShardIndex shard) { Subtract(shard, kCall); }

  bool closed() const { return closed_.load(); }

  // Refuses new calls from now on.
  void Close() { closed_.store(true); }

  // Waits until no call is open and no callback runs, at most until `deadline`. Returns whether
  // that is so. Requires: Close() was called; not called from a callback.
  bool AwaitEmpty(absl::Time deadline) const;

  // Waits for the callbacks that run; none begins any more. Returns how many calls are still open,
  // with those that are being refused. Requires: as AwaitEmpty().
  int64_t Detach();

  // Both: returns how many calls had not ended by `deadline`. Once the gate was empty, all that it
  // counts are calls that it is about to refuse.
  int64_t EndBy(absl::Time deadline) {
    const bool all_have_ended = AwaitEmpty(deadline);
    const int64_t open = Detach();
    return all_have_ended ? 0 : open;
  }

 private:
  // A shard's word counts its open calls in the low half and its running callbacks in the high one.
  static constexpr uint64_t kCall = 1;
  static constexpr uint64_t kCallback = uint64_t{1} << 32;

  struct alignas(64) Shard {
    std::atomic<uint64_t> word{0};
  };

  // All these operations are sequentially consistent: either the adder sees the flag, or whoever
  // set the flag sees the addition.
  bool TryAdd(ShardIndex shard, uint64_t amount, const std::atomic<bool>& refusal) {
    shards_[shard.value()].word.fetch_add(amount);
    if (!refusal.load()) return true;
    Subtract(shard, amount);
    return false;
  }
  void Subtract(ShardIndex shard, uint64_t amount) {
    shards_[shard.value()].word.fetch_sub(amount);
  }

  // Sums over all shards.
  uint64_t OpenCalls() const;
  uint64_t RunningCallbacks() const;

  const size_t shard_count_;
  const std::unique_ptr<Shard[]> shards_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> detached_{false};
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CALL_GATE_H_
