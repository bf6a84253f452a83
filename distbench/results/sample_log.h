// SampleLog: one packed sample per finished RPC, in the order in which they ended.
//
// Samples lie in chunks, so that the log grows without moving what it holds, up to a limit that
// bounds its memory (40 bytes a sample). Not thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_LOG_H_
#define DISTBENCH_RESULTS_SAMPLE_LOG_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace distbench {

// What is known of one RPC. It has no constructor, so that chunks are not written before they are
// used: fill it with designated initializers.
struct PackedSample {
  // A message's size in 40 bits: 1 TiB, beyond which it shows as that.
  struct Size {
    uint32_t low;
    uint8_t high;
  };
  static Size PackSize(int64_t bytes) {
    const int64_t packed = std::clamp<int64_t>(bytes, 0, (int64_t{1} << 40) - 1);
    return {.low = static_cast<uint32_t>(packed), .high = static_cast<uint8_t>(packed >> 32)};
  }

  int64_t start_ns;
  int64_t latency_ns;
  int64_t latency_weight_ns;  // 0: none
  uint32_t pair;              // position among the recorder's pairs of RPC and server
  uint32_t request_low;
  uint32_t response_low;
  uint8_t request_high;
  uint8_t response_high;
  uint16_t error : 15;  // in the recorder's ErrorTable; 0: success
  uint16_t warmup : 1;

  int64_t request_bytes() const { return request_low | int64_t{request_high} << 32; }
  int64_t response_bytes() const { return response_low | int64_t{response_high} << 32; }
};
static_assert(sizeof(PackedSample) == 40);

class SampleLog {
 public:
  explicit SampleLog(int64_t max_samples)
      : max_size_(static_cast<size_t>(std::max<int64_t>(max_samples, 0))) {}

  // False if the log is full; the sample is then left out.
  bool Append(const PackedSample& sample) {
    if (size_ == max_size_) return false;
    const size_t place = size_ % kChunkSamples;
    if (place == 0) [[unlikely]] {
      chunks_.push_back(std::make_unique_for_overwrite<PackedSample[]>(kChunkSamples));
    }
    chunks_.back()[place] = sample;
    ++size_;
    return true;
  }

  size_t size() const { return size_; }

  // Calls `visit(const PackedSample&)` in the order of Append. References stay valid.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < size_; ++i) visit(chunks_[i / kChunkSamples][i % kChunkSamples]);
  }

 private:
  static constexpr size_t kChunkSamples = 4096;

  const size_t max_size_;
  size_t size_ = 0;
  std::vector<std::unique_ptr<PackedSample[]>> chunks_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_LOG_H_
