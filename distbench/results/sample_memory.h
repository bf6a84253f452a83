// SampleMemory: the memory of all sample logs of a process, in chunks that are used again.
//
// Memory that is touched for the first time costs a virtual machine microseconds a page, in the
// middle of the traffic; what a test leaves behind is therefore kept, up to a limit, for the next
// one. Thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_MEMORY_H_
#define DISTBENCH_RESULTS_SAMPLE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

class SampleMemory {
 public:
  static constexpr size_t kChunkBytes = size_t{64} << 10;

  // Aligned for any type.
  using Chunk = std::unique_ptr<std::byte[]>;

  static constexpr int64_t kDefaultKeptBytes = int64_t{256} << 20;

  // Keeps so much at most of what is not in use.
  explicit SampleMemory(int64_t kept_bytes = kDefaultKeptBytes);

  // Of kChunkBytes, with anything in it.
  Chunk Take();

  void Return(std::vector<Chunk> chunks);

  // Not in use.
  int64_t kept_bytes() const;

 private:
  const size_t max_kept_;  // chunks

  mutable absl::Mutex mutex_;
  std::vector<Chunk> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_MEMORY_H_
