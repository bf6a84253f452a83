// SampleLog: one sample per finished RPC, in the order in which they were recorded.
//
// Memory that is touched for the first time costs more than all else that is done for a sample, so
// samples are packed into words of 16 bytes, most of them into one:
//
//   compact   {tag, latency, latency weight, end since the sample before}   same sizes as the last
//                                                                           sample of its pair
//   sized     compact + {request bytes, response bytes}                     other sizes
//   full      {tag, error} + {start, latency} + {weight, -} + sizes         failures, and times
//                                                                           that do not fit 32 bits
//
// What is known of the way to a traced RPC comes before its sample:
//
//   aside     {tag with the number of hops} + 3 words a hop     0 hops: nothing more in the chunk
//
// They are read back in order, which is what unpacks them. Words are in chunks, no sample in two of
// them; the first chunk is small, so that a log of few samples costs little, later ones are of the
// store that logs share, and may be in its file. Not thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_LOG_H_
#define DISTBENCH_RESULTS_SAMPLE_LOG_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "distbench/results/sample_store.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

// What is known of one RPC.
struct Sample {
  int64_t start_ns = 0;
  int64_t latency_ns = 0;
  int64_t latency_weight_ns = 0;  // 0: none
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
  uint32_t pair = 0;   // position among the recorder's pairs of RPC and server; below 2^29
  uint32_t error = 0;  // in the recorder's ErrorTable; 0: success
  bool warmup = false;
};

class SampleLog {
 public:
  // `store` outlives the log.
  SampleLog(SampleStore* store, int64_t max_samples)
      : store_(store), max_size_(std::max<int64_t>(max_samples, 0)) {}
  SampleLog(const SampleLog&) = delete;
  SampleLog& operator=(const SampleLog&) = delete;
  ~SampleLog();

  // False if the log is full, or the store; the sample is then left out.
  bool Append(const Sample& sample) {
    if (size_ == max_size_) return false;
    if (end_ - next_ < kMostWords) [[unlikely]] {
      if (!NextChunk()) return false;
    }
    ++size_;
    const int64_t end_ns = sample.start_ns + sample.latency_ns;
    const int64_t since_last_ns = end_ns - last_end_ns_;
    last_end_ns_ = end_ns;
    // Ends come in order but for what threads leave to each other.
    if (!(Fits(sample.latency_ns) & Fits(sample.latency_weight_ns) &
          (since_last_ns == static_cast<int32_t>(since_last_ns))) ||
        sample.error != 0) [[unlikely]] {
      AppendFull(sample);
      return true;
    }
    const bool sized = TakeNewSizes(sample);
    *next_++ = {.compact = {.tag = Tag(sample, sized ? kSized : kCompact),
                            .latency_ns = static_cast<uint32_t>(sample.latency_ns),
                            .latency_weight_ns = static_cast<uint32_t>(sample.latency_weight_ns),
                            .since_last_ns = static_cast<int32_t>(since_last_ns)}};
    if (sized) *next_++ = SizesOf(sample);
    return true;
  }

  // The same of a traced RPC. Requires: at most kMostTraceHops.
  bool AppendTraced(const Sample& sample, const TracePath& trace);

  size_t size() const { return static_cast<size_t>(size_); }

  // What the samples take, with what is left over in chunks that were filled.
  size_t size_bytes() const;

  // Reads the log back, in the order of Append. Nothing is appended meanwhile.
  class Reader;

 private:
  struct Sizes {
    int64_t request_bytes;
    int64_t response_bytes;
  };
  union Word {
    struct {
      uint32_t tag;
      uint32_t latency_ns;
      uint32_t latency_weight_ns;
      int32_t since_last_ns;
    } compact;
    struct {
      uint32_t tag;
      uint32_t error;
      int64_t start_ns;
    } full;
    struct {
      int64_t latency_ns;
      int64_t latency_weight_ns;
    } full_times;
    Sizes sizes;
  };
  static_assert(sizeof(Word) == 16);
  static_assert(sizeof(TraceHop) % sizeof(Word) == 0);

  enum Form : uint32_t { kCompact, kSized, kFull, kAside };
  static constexpr ptrdiff_t kMostWords = 3;  // of a sample
  static constexpr ptrdiff_t kHopWords = sizeof(TraceHop) / sizeof(Word);
  static constexpr size_t kFirstWords = 256;
  static constexpr size_t kChunkWords = SampleStore::kChunkBytes / sizeof(Word);

  static bool Fits(int64_t value) { return static_cast<uint64_t>(value) >> 32 == 0; }

  static uint32_t Tag(const Sample& sample, Form form) {
    return sample.pair << 3 | static_cast<uint32_t>(form) << 1 | (sample.warmup ? 1 : 0);
  }

  static Word Aside(size_t hops) {
    const uint32_t tag = static_cast<uint32_t>(hops) << 3 | uint32_t{kAside} << 1;
    return {.full = {.tag = tag, .error = 0, .start_ns = 0}};
  }

  static Word SizesOf(const Sample& sample) {
    return {
        .sizes = {.request_bytes = sample.request_bytes, .response_bytes = sample.response_bytes}};
  }

  // Whether the sizes are others than the pair had last; remembers them.
  bool TakeNewSizes(const Sample& sample) {
    if (sample.pair >= sizes_.size()) [[unlikely]] {
      sizes_.resize(sample.pair + 1, kNoSizes);
    }
    Sizes& last = sizes_[sample.pair];
    if ((last.request_bytes == sample.request_bytes) &
        (last.response_bytes == sample.response_bytes)) {
      return false;
    }
    last = {.request_bytes = sample.request_bytes, .response_bytes = sample.response_bytes};
    return true;
  }

  void AppendFull(const Sample& sample);
  // Room for a sample. False: there is none.
  bool NextChunk();
  static Word* WordsOf(const SampleStore::Chunk& chunk) {
    return reinterpret_cast<Word*>(chunk.get());
  }

  static constexpr Sizes kNoSizes = {.request_bytes = std::numeric_limits<int64_t>::min(),
                                     .response_bytes = 0};

  SampleStore* const store_;
  const int64_t max_size_;
  int64_t size_ = 0;
  int64_t last_end_ns_ = 0;
  std::vector<Sizes> sizes_;  // of each pair's last sample
  Word* next_ = nullptr;      // in the chunk that is being filled
  Word* end_ = nullptr;       // of it
  std::unique_ptr<Word[]> first_;
  std::vector<SampleStore::Stored> stored_;  // filled, after the first
  SampleStore::Chunk filling_;               // after these
};

class SampleLog::Reader {
 public:
  // `log` outlives the reader.
  explicit Reader(const SampleLog& log);
  ~Reader();

  // False at the end, and where the store has lost what comes then: see status().
  bool Next(Sample* sample);

  // Of the sample that Next() gave last; empty: the RPC was not traced.
  const TracePath& trace() const { return trace_; }

  const absl::Status& status() const { return status_; }

 private:
  bool NextChunk();
  void ReadTrace(size_t hops);
  void ReadSizes(Sample* sample);

  const SampleLog& log_;
  size_t next_stored_ = 0;
  bool has_read_all_ = false;     // what comes after the chunk that is being read
  SampleStore::Chunk from_file_;  // null: nothing was read from there yet
  const Word* next_ = nullptr;    // in the chunk that is being read
  const Word* end_ = nullptr;
  int64_t last_end_ns_ = 0;
  std::vector<Sizes> last_sizes_;  // by pair
  TracePath trace_;
  absl::Status status_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_LOG_H_
