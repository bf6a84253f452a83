#include "distbench/export/hdr_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <bit>

#include "distbench/results/histogram_layout.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr uint32_t kCookie = 0x1c849303 | 0x10;
constexpr uint32_t kCompressedCookie = 0x1c849304 | 0x10;
constexpr uint32_t kSignificantDigits = 3;
// 2 * 10^digits values have a bucket each; rounded up to a power of two that is 2^11, the first two
// magnitudes of this layout.
constexpr HistogramLayout kHdrLayout(10);
// The least range that readers accept.
constexpr int64_t kMinHighestTrackable = 2;

template <typename Unsigned>
void AppendBigEndian(Unsigned value, std::string* bytes) {
  for (int shift = 8 * (sizeof(value) - 1); shift >= 0; shift -= 8) {
    bytes->push_back(static_cast<char>(value >> shift));
  }
}

void AppendZeros(uint32_t count, std::string* bytes) {
  if (count == 0) return;
  AppendZigZagLeb128(count == 1 ? 0 : -int64_t{count}, bytes);
}

std::string EncodeCounts(const LogLinearHistogram& histogram) {
  // Readers have no negative values: these count as 0, as in our buckets.
  const int64_t min = std::max<int64_t>(histogram.totals().min, 0);
  const int64_t max = std::max<int64_t>(histogram.totals().max, 0);
  std::string counts;
  uint32_t next = 0;  // bucket after the last one written
  histogram.ForEachBucket([&](uint32_t bucket, uint64_t count) {
    const int64_t value =
        std::clamp<int64_t>(LogLinearHistogram::kLayout.Midpoint(bucket), min, max);
    const uint32_t index = kHdrLayout.Index(static_cast<uint64_t>(value));
    AppendZeros(index - next, &counts);
    AppendZigZagLeb128(static_cast<int64_t>(count), &counts);
    next = index + 1;
  });
  return counts;
}

}  // namespace

std::string EncodeHdrHistogram(const LogLinearHistogram& histogram) {
  const std::string counts = histogram.totals().count > 0 ? EncodeCounts(histogram) : "";
  const int64_t highest = std::max(kMinHighestTrackable, histogram.totals().max);
  std::string bytes;
  AppendBigEndian(kCookie, &bytes);
  AppendBigEndian(static_cast<uint32_t>(counts.size()), &bytes);
  AppendBigEndian(uint32_t{0}, &bytes);
  AppendBigEndian(kSignificantDigits, &bytes);
  AppendBigEndian(uint64_t{1}, &bytes);
  AppendBigEndian(static_cast<uint64_t>(highest), &bytes);
  AppendBigEndian(std::bit_cast<uint64_t>(1.0), &bytes);
  return bytes + counts;
}

std::string CompressHdrHistogram(absl::string_view encoded) {
  uLongf size = compressBound(encoded.size());
  std::string stream(size, '\0');
  const int result =
      compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                reinterpret_cast<const Bytef*>(encoded.data()), encoded.size(), Z_BEST_COMPRESSION);
  CHECK_EQ(result, Z_OK) << "the buffer is as large as zlib asked for";
  stream.resize(size);
  std::string bytes;
  AppendBigEndian(kCompressedCookie, &bytes);
  AppendBigEndian(static_cast<uint32_t>(stream.size()), &bytes);
  return bytes + stream;
}

void AppendZigZagLeb128(int64_t value, std::string* bytes) {
  constexpr int kSevenBitBytes = 8;
  uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (int i = 0; i < kSevenBitBytes; ++i) {
    if (rest < 0x80) {
      bytes->push_back(static_cast<char>(rest));
      return;
    }
    bytes->push_back(static_cast<char>((rest & 0x7f) | 0x80));
    rest >>= 7;
  }
  bytes->push_back(static_cast<char>(rest));
}

}  // namespace distbench
