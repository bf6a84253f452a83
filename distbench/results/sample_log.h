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
// They are read back in order, which is what unpacks them. Chunks of words are never moved; the
// first one is small, so that a log of few samples costs little, later ones are of the memory that
// logs share. Not thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_LOG_H_
#define DISTBENCH_RESULTS_SAMPLE_LOG_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "distbench/results/sample_memory.h"

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
  // `memory` outlives the log.
  SampleLog(SampleMemory* memory, int64_t max_samples)
      : memory_(memory), max_size_(std::max<int64_t>(max_samples, 0)) {}
  SampleLog(const SampleLog&) = delete;
  SampleLog& operator=(const SampleLog&) = delete;
  ~SampleLog() { memory_->Return(std::move(chunks_)); }

  // False if the log is full; the sample is then left out.
  bool Append(const Sample& sample) {
    if (size_ == max_size_) return false;
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
    Append(Word{.compact = {.tag = Tag(sample, sized ? kSized : kCompact),
                            .latency_ns = static_cast<uint32_t>(sample.latency_ns),
                            .latency_weight_ns = static_cast<uint32_t>(sample.latency_weight_ns),
                            .since_last_ns = static_cast<int32_t>(since_last_ns)}});
    if (sized) Append(SizesOf(sample));
    return true;
  }

  size_t size() const { return static_cast<size_t>(size_); }

  // What the samples take, without what is left over in chunks.
  size_t memory_bytes() const { return word_count() * sizeof(Word); }

  // Calls `visit(const Sample&)` in the order of Append.
  template <typename Visit>
  void ForEach(Visit visit) const {
    Reader reader(*this);
    Sample sample;
    while (reader.Next(&sample)) visit(sample);
  }

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

  enum Form : uint32_t { kCompact, kSized, kFull };
  static constexpr size_t kFirstWords = 256;
  static constexpr size_t kChunkWords = SampleMemory::kChunkBytes / sizeof(Word);

  // Reads the log back; see ForEach.
  class Reader {
   public:
    explicit Reader(const SampleLog& log) : log_(log) {}
    bool Next(Sample* sample);

   private:
    const Word& NextWord() { return log_.WordAt(position_++); }
    void ReadSizes(Sample* sample);

    const SampleLog& log_;
    size_t position_ = 0;
    int64_t last_end_ns_ = 0;
    std::vector<Sizes> sizes_;  // by pair
  };

  static bool Fits(int64_t value) { return static_cast<uint64_t>(value) >> 32 == 0; }

  static uint32_t Tag(const Sample& sample, Form form) {
    return sample.pair << 3 | static_cast<uint32_t>(form) << 1 | (sample.warmup ? 1 : 0);
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

  void Append(const Word& word) {
    if (next_ == end_) [[unlikely]] {
      AddChunk();
    }
    *next_++ = word;
  }

  void AppendFull(const Sample& sample);
  void AddChunk();
  size_t word_count() const {
    const size_t room = first_ == nullptr ? 0 : kFirstWords + chunks_.size() * kChunkWords;
    return room - static_cast<size_t>(end_ - next_);
  }
  const Word& WordAt(size_t position) const {
    if (position < kFirstWords) return first_[position];
    const size_t later = position - kFirstWords;
    return WordsOf(chunks_[later / kChunkWords])[later % kChunkWords];
  }
  static Word* WordsOf(const SampleMemory::Chunk& chunk) {
    return reinterpret_cast<Word*>(chunk.get());
  }

  static constexpr Sizes kNoSizes = {.request_bytes = std::numeric_limits<int64_t>::min(),
                                     .response_bytes = 0};

  SampleMemory* const memory_;
  const int64_t max_size_;
  int64_t size_ = 0;
  int64_t last_end_ns_ = 0;
  std::vector<Sizes> sizes_;  // of each pair's last sample
  Word* next_ = nullptr;      // in the last chunk
  Word* end_ = nullptr;       // of the last chunk
  std::unique_ptr<Word[]> first_;
  std::vector<SampleMemory::Chunk> chunks_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_LOG_H_
