// SampleStore: where the sample logs of a process keep what they have filled: in memory up to a
// budget, beyond it in a file without a name, which goes away with the process.
//
//   Take --> a log fills the chunk --> Put --room in the budget--> stays in memory --.
//    ^                                  '---else--> queue --> writer thread --> file  |
//    '------------- chunks whose contents are in the file, or of logs that are gone <-'
//
// A log never waits: where the file cannot be written, or not as fast as samples come, it is told
// so and leaves samples out. Memory beside the budget: a chunk for each log, which it fills, and
// kMaxQueuedChunks for the writer.
//
// Memory that is touched for the first time costs a virtual machine microseconds a page, in the
// middle of the traffic; chunks are therefore kept for the next test. Thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_STORE_H_
#define DISTBENCH_RESULTS_SAMPLE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

struct SampleStoreOptions {
  int64_t memory_bytes = int64_t{256} << 20;
  // Where the file is made when it is first needed. Empty: nothing is ever written.
  std::string folder = {};
};

class SampleStore {
 public:
  static constexpr size_t kChunkBytes = size_t{64} << 10;
  static constexpr size_t kMaxQueuedChunks = 128;

  // Aligned for any type.
  using Chunk = std::unique_ptr<std::byte[]>;

  // What became of a chunk that was put: in memory, or in the file from `position` on.
  struct Stored {
    Chunk chunk;
    int64_t position = 0;  // if `chunk` is null
  };

  explicit SampleStore(SampleStoreOptions options = {});
  SampleStore(const SampleStore&) = delete;
  SampleStore& operator=(const SampleStore&) = delete;
  // Requires: all that was put was released.
  ~SampleStore();

  // Of kChunkBytes, with anything in it.
  Chunk Take();

  // Keeps a chunk that Take() gave. False, and nothing happens, if there is no room for it.
  bool Put(Chunk& chunk, Stored* stored);

  // Copies the contents of what was put into `*chunk`, which Take() gave; waits for the writer. An
  // error if the file has lost them: it is that of status(), or one of reading.
  absl::Status Read(const Stored& stored, std::byte* chunk);

  // Takes back what nobody needs any more, put or not.
  void Release(std::vector<Stored> stored);
  void Release(Chunk chunk);

  // The first error of the file since the store was last empty, naming folder and remedy.
  absl::Status status() const;

  // Memory that holds nothing at present, and what is in the file.
  int64_t free_bytes() const;
  int64_t file_bytes() const;

 private:
  static constexpr int64_t kNoPosition = std::numeric_limits<int64_t>::max();

  struct Queued {
    Chunk chunk;
    int64_t position = 0;
  };

  bool Queue(Chunk& chunk, Stored* stored) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status OpenFile() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void KeepFree(Chunk chunk) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EmptyFile() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !queue_.empty(); }
  bool IsAtRest() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return queue_.empty() && !is_writing_;
  }
  void RunWriter();
  absl::Status Write(const Queued& queued, int descriptor) const;
  absl::Status FileError(const char* what, int error) const;

  const SampleStoreOptions options_;
  const size_t max_in_memory_;  // chunks

  mutable absl::Mutex mutex_;
  std::vector<Chunk> free_ ABSL_GUARDED_BY(mutex_);
  size_t in_memory_ ABSL_GUARDED_BY(mutex_) = 0;  // chunks that were put and stayed
  int descriptor_ ABSL_GUARDED_BY(mutex_) = -1;   // -1: not opened
  size_t in_file_ ABSL_GUARDED_BY(mutex_) = 0;    // chunks that were put and went, or wait to
  int64_t end_position_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<Queued> queue_ ABSL_GUARDED_BY(mutex_);
  bool is_writing_ ABSL_GUARDED_BY(mutex_) = false;  // what was taken from the queue
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  int64_t lost_position_ ABSL_GUARDED_BY(mutex_) = kNoPosition;  // from there on, if not OK
  std::thread writer_ ABSL_GUARDED_BY(mutex_);                   // runs once the file was opened
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_STORE_H_
