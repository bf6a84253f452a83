#include "distbench/results/sample_memory.h"

#include <utility>

namespace distbench {

SampleMemory::SampleMemory(int64_t kept_bytes)
    : max_kept_(static_cast<size_t>(kept_bytes) / kChunkBytes) {}

SampleMemory::Chunk SampleMemory::Take() {
  {
    absl::MutexLock lock(&mutex_);
    if (!kept_.empty()) {
      Chunk chunk = std::move(kept_.back());
      kept_.pop_back();
      return chunk;
    }
  }
  return std::make_unique_for_overwrite<std::byte[]>(kChunkBytes);
}

void SampleMemory::Return(std::vector<Chunk> chunks) {
  absl::MutexLock lock(&mutex_);
  for (Chunk& chunk : chunks) {
    if (kept_.size() == max_kept_) break;
    kept_.push_back(std::move(chunk));
  }
}

int64_t SampleMemory::kept_bytes() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(kept_.size() * kChunkBytes);
}

}  // namespace distbench
