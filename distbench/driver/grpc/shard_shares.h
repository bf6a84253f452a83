// ShardShares: spreads the RPCs of a process's shards over things of a kind (channels, completion
// queues).
//
// Of n things, shard s of S uses s, s + S, s + 2S … in turn; if there are fewer things than shards,
// it uses number s mod n alone.
//
//   3 shards, 7 things:  s0: 0 3 6    s1: 1 4    s2: 2 5
//   3 shards, 2 things:  s0: 0        s1: 1      s2: 0
//
// Thread-safe. Two threads that ask for one shard at the same time may get the same thing.
#ifndef DISTBENCH_DRIVER_GRPC_SHARD_SHARES_H_
#define DISTBENCH_DRIVER_GRPC_SHARD_SHARES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "distbench/base/indices.h"

namespace distbench {

class ShardShares {
 public:
  // Requires: both at least one.
  ShardShares(size_t shards, size_t things)
      : shards_(shards),
        things_(things),
        turns_(things > shards ? std::make_unique<std::atomic<uint32_t>[]>(shards) : nullptr) {}

  // The number of the thing whose turn it is.
  size_t Next(ShardIndex shard) {
    if (things_ == 1) return 0;
    if (turns_ == nullptr) return shard.value() % things_;
    const size_t share = (things_ - shard.value() + shards_ - 1) / shards_;
    std::atomic<uint32_t>& turn = turns_[shard.value()];
    const uint32_t now = turn.load(std::memory_order_relaxed);
    turn.store(now + 1, std::memory_order_relaxed);
    return shard.value() + now % share * shards_;
  }

 private:
  const size_t shards_;
  const size_t things_;
  const std::unique_ptr<std::atomic<uint32_t>[]> turns_;  // by shard; null if nobody has a choice
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_SHARD_SHARES_H_
