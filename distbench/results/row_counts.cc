#include "distbench/results/row_counts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "distbench/results/rpc_totals.h"

namespace distbench {
namespace {

static_assert(kRowLayout.sub_bucket_bits() <= LogLinearHistogram::kLayout.sub_bucket_bits());

// Both ascending.
std::vector<RowBucket> Sum(const std::vector<RowBucket>& a, const std::vector<RowBucket>& b) {
  std::vector<RowBucket> sum;
  sum.reserve(a.size() + b.size());
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].index < b[j].index) {
      sum.push_back(a[i++]);
    } else if (b[j].index < a[i].index) {
      sum.push_back(b[j++]);
    } else {
      sum.push_back({.index = a[i].index, .count = a[i].count + b[j].count});
      ++i;
      ++j;
    }
  }
  sum.insert(sum.end(), a.begin() + static_cast<ptrdiff_t>(i), a.end());
  sum.insert(sum.end(), b.begin() + static_cast<ptrdiff_t>(j), b.end());
  return sum;
}

// Adds a bucket where it belongs.
void AddBucket(const RowBucket& bucket, std::vector<RowBucket>& buckets) {
  const auto at =
      std::lower_bound(buckets.begin(), buckets.end(), bucket,
                       [](const RowBucket& a, const RowBucket& b) { return a.index < b.index; });
  if (at != buckets.end() && at->index == bucket.index) {
    at->count += bucket.count;
  } else {
    buckets.insert(at, bucket);
  }
}

}  // namespace

void RowTotals::Add(const RowTotals& other) {
  AddSaturating(other.measured_successes, measured_successes);
  AddSaturating(other.failures, failures);
  AddSaturating(other.warmup_successes, warmup_successes);
  AddSaturating(other.request_bytes, request_bytes);
  AddSaturating(other.response_bytes, response_bytes);
  service_time_sum_ns += other.service_time_sum_ns;
}

void RowCounts::Add(const RowCounts& other) {
  totals.Add(other.totals);
  if (other.service_times.size() == 1) {
    AddBucket(other.service_times.front(), service_times);
  } else if (!other.service_times.empty()) {
    service_times = Sum(service_times, other.service_times);
  }
}

RowCounts RowCounts::Since(const RowCounts& earlier) const {
  RowCounts since;
  since.totals = {
      .measured_successes = totals.measured_successes - earlier.totals.measured_successes,
      .failures = totals.failures - earlier.totals.failures,
      .warmup_successes = totals.warmup_successes - earlier.totals.warmup_successes,
      .request_bytes = totals.request_bytes - earlier.totals.request_bytes,
      .response_bytes = totals.response_bytes - earlier.totals.response_bytes,
      .service_time_sum_ns = totals.service_time_sum_ns - earlier.totals.service_time_sum_ns,
  };
  auto before = earlier.service_times.begin();
  for (RowBucket bucket : service_times) {
    if (before != earlier.service_times.end() && before->index == bucket.index) {
      bucket.count -= before->count;
      ++before;
    }
    if (bucket.count != 0) since.service_times.push_back(bucket);
  }
  return since;
}

std::vector<RowBucket> RowBucketsOf(const LogLinearHistogram& histogram) {
  std::vector<RowBucket> buckets;
  histogram.ForEachBucket([&buckets](uint32_t index, uint64_t count) {
    const RowBucket bucket = RowBucketOf(LogLinearHistogram::kLayout.LowerBound(index));
    if (buckets.empty() || buckets.back().index != bucket.index) {
      buckets.push_back({.index = bucket.index, .count = count});
    } else {
      buckets.back().count += count;
    }
  });
  return buckets;
}

RowBucket RowBucketOf(int64_t value) {
  return {.index = kRowLayout.Index(static_cast<uint64_t>(std::max<int64_t>(value, 0))),
          .count = 1};
}

}  // namespace distbench
