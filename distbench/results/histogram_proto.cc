#include "distbench/results/histogram_proto.h"

#include <algorithm>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "protos/statistics.pb.h"

namespace distbench {
namespace {

using Totals = LogLinearHistogram::Totals;

using Bucket = HistogramContents::Bucket;

absl::Status CheckScalars(const Histogram& message) {
  const int bits = message.sub_bucket_bits();
  if (bits < 0 || bits > HistogramLayout::kMaxSubBucketBits) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sub_bucket_bits is ", bits, "; it must be 0 to ", HistogramLayout::kMaxSubBucketBits));
  }
  if (message.count() < 0 || message.count() > kMaxMessageCount) {
    return absl::InvalidArgumentError(
        absl::StrCat("count is ", message.count(), "; it must be 0 to ", kMaxMessageCount));
  }
  if (message.bucket_index_deltas_size() != message.bucket_counts_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", message.bucket_index_deltas_size(), " bucket_index_deltas but ",
                     message.bucket_counts_size(), " bucket_counts; they must be as many"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Bucket>> ReadBuckets(const Histogram& message,
                                                const HistogramLayout& layout) {
  std::vector<Bucket> buckets;
  buckets.reserve(message.bucket_counts_size());
  uint64_t index = 0;
  uint64_t total = 0;
  for (int i = 0; i < message.bucket_counts_size(); ++i) {
    const uint32_t delta = message.bucket_index_deltas(i);
    const uint64_t count = message.bucket_counts(i);
    index += delta;
    if ((delta == 0 && i > 0) || index >= layout.bucket_count()) {
      return absl::InvalidArgumentError(
          absl::StrCat("bucket_index_deltas[", i, "] is ", delta, " and leads to bucket ", index,
                       "; buckets must increase and stay below ", layout.bucket_count()));
    }
    if (count == 0 || count > static_cast<uint64_t>(message.count()) - total) {
      return absl::InvalidArgumentError(
          absl::StrCat("bucket_counts[", i, "] is ", count,
                       "; counts must be positive and add up to count, ", message.count()));
    }
    total += count;
    buckets.push_back({.index = static_cast<uint32_t>(index), .count = count});
  }
  if (total != static_cast<uint64_t>(message.count())) {
    return absl::InvalidArgumentError(
        absl::StrCat("bucket_counts add up to ", total, ", but count is ", message.count()));
  }
  return buckets;
}

absl::Status CheckTotals(const Totals& totals, const std::vector<Bucket>& buckets,
                         const HistogramLayout& layout) {
  const auto bucket_of = [&](int64_t value) {
    return layout.Index(static_cast<uint64_t>(std::max<int64_t>(value, 0)));
  };
  if (totals.min > totals.max || bucket_of(totals.min) != buckets.front().index ||
      bucket_of(totals.max) != buckets.back().index) {
    return absl::InvalidArgumentError(
        absl::StrCat("min is ", totals.min, " and max is ", totals.max,
                     "; they must lie in the first and the last bucket"));
  }
  absl::uint128 least = 0;
  absl::uint128 most = 0;
  for (const Bucket& bucket : buckets) {
    const int64_t lower = layout.LowerBound(bucket.index);
    least += absl::uint128(lower) * bucket.count;
    most += absl::uint128(lower + (layout.Width(bucket.index) - 1)) * bucket.count;
  }
  if (totals.sum < least || totals.sum > most) {
    return absl::InvalidArgumentError(
        absl::StrCat("sum_high and sum_low are ", absl::Uint128High64(totals.sum), " and ",
                     absl::Uint128Low64(totals.sum), "; no values in these buckets have this sum"));
  }
  return absl::OkStatus();
}

template <typename AnyHistogram>
void Write(const AnyHistogram& histogram, const HistogramLayout& layout, Histogram& message) {
  message.Clear();
  const Totals& totals = histogram.totals();
  message.set_sub_bucket_bits(layout.sub_bucket_bits());
  message.set_count(static_cast<int64_t>(totals.count));
  if (totals.count == 0) return;
  message.set_min(totals.min);
  message.set_max(totals.max);
  message.set_sum_low(absl::Uint128Low64(totals.sum));
  message.set_sum_high(absl::Uint128High64(totals.sum));
  uint32_t previous = 0;
  histogram.ForEachBucket([&](uint32_t index, uint64_t count) {
    message.add_bucket_index_deltas(index - previous);
    message.add_bucket_counts(count);
    previous = index;
  });
}

}  // namespace

void WriteHistogram(const LogLinearHistogram& histogram, Histogram& message) {
  Write(histogram, LogLinearHistogram::kLayout, message);
}

void WriteHistogram(const PeerHistogram& histogram, Histogram& message) {
  Write(histogram, histogram.layout(), message);
}

absl::StatusOr<HistogramContents> ReadHistogram(const Histogram& message) {
  RETURN_IF_ERROR(CheckScalars(message));
  HistogramContents contents;
  contents.layout = HistogramLayout(message.sub_bucket_bits());
  ASSIGN_OR_RETURN(contents.buckets, ReadBuckets(message, contents.layout));
  if (contents.buckets.empty()) return contents;
  contents.totals = {
      .count = static_cast<uint64_t>(message.count()),
      .min = message.min(),
      .max = message.max(),
      .sum = absl::MakeUint128(message.sum_high(), message.sum_low()),
  };
  RETURN_IF_ERROR(CheckTotals(contents.totals, contents.buckets, contents.layout));
  return contents;
}

absl::Status MergeHistogram(const Histogram& message, LogLinearHistogram& histogram) {
  ASSIGN_OR_RETURN(const HistogramContents contents, ReadHistogram(message));
  std::vector<LogLinearHistogram::CountedValue> values;
  values.reserve(contents.buckets.size());
  for (const Bucket& bucket : contents.buckets) {
    values.push_back({.value = contents.layout.Midpoint(bucket.index), .count = bucket.count});
  }
  histogram.Add(contents.totals, values);
  return absl::OkStatus();
}

absl::Status CheckHistogram(absl::string_view field, const Histogram& message) {
  HistogramPageSlab slab;
  LogLinearHistogram unused(slab);
  const absl::Status status = MergeHistogram(message, unused);
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(field, ".", status.message()));
}

}  // namespace distbench
