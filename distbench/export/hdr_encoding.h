// A histogram in the interchange form of HdrHistogram, version V2. Pure.
//
//   0x1c849313  payload bytes  0   digits  lowest   highest  1.0      payload
//   int32       int32          int32 int32 int64    int64    double   counts      (big endian)
//
// Digits is 3: 1024 buckets a factor of two, twice as fine as ours, so that a quantile read from it
// is within a bucket of ours (0.2 %). The payload has the counts of its buckets in order, up to the
// last that is not 0; a run of n > 1 zeros is -n. Counts are ZigZag LEB128: the sign goes into the
// lowest bit; seven bits a byte follow, the lowest first, and the ninth byte has eight.
//
// Compressed it is 0x1c849314, the length of what follows (int32), and all the above as a zlib
// stream.
#ifndef DISTBENCH_EXPORT_HDR_ENCODING_H_
#define DISTBENCH_EXPORT_HDR_ENCODING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "distbench/results/histogram.h"

namespace distbench {

// Values stand for their bucket's middle, as in LogLinearHistogram::Quantile.
std::string EncodeHdrHistogram(const LogLinearHistogram& histogram);

std::string CompressHdrHistogram(absl::string_view encoded);

// Appends `value` as ZigZag LEB128.
void AppendZigZagLeb128(int64_t value, std::string* bytes);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_HDR_ENCODING_H_
