// ChunkPool: the memory that an event loop's connections read into, in pieces of one size.
//
// A connection holds chunks only while bytes in them wait for the rest of their frame; between
// frames all connections of a loop use the same few chunks, which therefore stay in the CPU's
// cache. Belongs to one thread.
#ifndef DISTBENCH_DRIVER_TCP_CHUNK_POOL_H_
#define DISTBENCH_DRIVER_TCP_CHUNK_POOL_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace distbench {

class ChunkPool {
 public:
  using Chunk = std::unique_ptr<char[]>;
  static constexpr size_t kChunkBytes = size_t{32} << 10;

  // The chunk that was returned last, or a new one.
  Chunk Take() {
    if (free_.empty()) return std::make_unique_for_overwrite<char[]>(kChunkBytes);
    Chunk chunk = std::move(free_.back());
    free_.pop_back();
    return chunk;
  }

  void Return(Chunk chunk) {
    if (free_.size() < kMaxFree) free_.push_back(std::move(chunk));
  }

  size_t free_count() const { return free_.size(); }

 private:
  // What is kept for the next burst: 32 MiB. A message that was larger gives the rest back.
  static constexpr size_t kMaxFree = 1024;

  std::vector<Chunk> free_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_CHUNK_POOL_H_
