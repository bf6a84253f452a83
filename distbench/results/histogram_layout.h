// The bucket layout of log-linear histograms, drawn in protos/statistics.proto: from a value to its
// bucket's index and back. Pure.
//
// Invariant: for every value v in [0, 2^63), LowerBound(Index(v)) <= v and
// v - LowerBound(Index(v)) < Width(Index(v)) <= max(1, v / 2^sub_bucket_bits).
#ifndef DISTBENCH_RESULTS_HISTOGRAM_LAYOUT_H_
#define DISTBENCH_RESULTS_HISTOGRAM_LAYOUT_H_

#include <bit>
#include <cstdint>

namespace distbench {

class HistogramLayout {
 public:
  static constexpr int kMaxSubBucketBits = 16;

  // `sub_bucket_bits` is in [0, kMaxSubBucketBits].
  explicit constexpr HistogramLayout(int sub_bucket_bits) : bits_(sub_bucket_bits) {}

  constexpr int sub_bucket_bits() const { return bits_; }

  // Buckets that hold the values below 2^63.
  constexpr uint32_t bucket_count() const { return static_cast<uint32_t>(64 - bits_) << bits_; }

  // `value` is below 2^63.
  constexpr uint32_t Index(uint64_t value) const {
    if (value < (uint64_t{1} << bits_)) return static_cast<uint32_t>(value);
    const int shift = std::bit_width(value) - 1 - bits_;
    return (static_cast<uint32_t>(shift) << bits_) + static_cast<uint32_t>(value >> shift);
  }

  // `index` is below bucket_count() in all that follow.
  constexpr int64_t LowerBound(uint32_t index) const {
    const uint32_t magnitude = index >> bits_;
    if (magnitude == 0) return index;
    const uint64_t within = index - (magnitude << bits_);
    return static_cast<int64_t>(((uint64_t{1} << bits_) + within) << (magnitude - 1));
  }

  constexpr int64_t Width(uint32_t index) const {
    const uint32_t magnitude = index >> bits_;
    return magnitude == 0 ? 1 : int64_t{1} << (magnitude - 1);
  }

  // The value that stands for the bucket: at most half a width from any value in it.
  constexpr int64_t Midpoint(uint32_t index) const {
    return LowerBound(index) + (Width(index) - 1) / 2;
  }

 private:
  int bits_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_HISTOGRAM_LAYOUT_H_
