#include "distbench/results/packed_buckets.h"

#include <cstddef>
#include <cstdint>

namespace distbench {
namespace {

constexpr int kBitsPerByte = 7;
constexpr uint64_t kMore = uint64_t{1} << kBitsPerByte;

void AppendVarint(uint64_t value, std::string& bytes) {
  for (; value >= kMore; value >>= kBitsPerByte) bytes.push_back(static_cast<char>(value | kMore));
  bytes.push_back(static_cast<char>(value));
}

uint64_t ReadVarint(const std::string& bytes, size_t& position) {
  uint64_t value = 0;
  for (int shift = 0;; shift += kBitsPerByte) {
    const uint64_t byte = static_cast<uint8_t>(bytes[position++]);
    value |= (byte & (kMore - 1)) << shift;
    if (byte < kMore) return value;
  }
}

}  // namespace

std::string PackBuckets(const std::vector<RowBucket>& buckets) {
  std::string bytes;
  uint32_t previous = 0;
  for (const RowBucket& bucket : buckets) {
    AppendVarint(bucket.index - previous, bytes);
    AppendVarint(bucket.count, bytes);
    previous = bucket.index;
  }
  bytes.shrink_to_fit();
  return bytes;
}

std::vector<RowBucket> UnpackBuckets(const std::string& packed) {
  std::vector<RowBucket> buckets;
  uint32_t index = 0;
  for (size_t position = 0; position < packed.size();) {
    index += static_cast<uint32_t>(ReadVarint(packed, position));
    buckets.push_back({.index = index, .count = ReadVarint(packed, position)});
  }
  return buckets;
}

}  // namespace distbench
