#include "distbench/results/time_series_proto.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/rpc_totals.h"
#include "protos/statistics.pb.h"

namespace distbench {
namespace {

// RPCs of one kind in one row, checked.
struct ReadCounts {
  RowSpan span;
  RpcIndex rpc;
  RowCounts counts;
};

absl::Status NotNegative(absl::string_view field, int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " is ", value, "; it must not be negative"));
}

absl::StatusOr<int> ReadDoublings(const TimeSeries& message) {
  for (int doublings = 0; doublings <= RowSpan::kMaxDoublings; ++doublings) {
    if (message.row_duration_ns() == RowSpan::kLeastDurationNs << doublings) return doublings;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("row_duration_ns is ", message.row_duration_ns(),
                   "; it must be a second or that times a power of two"));
}

absl::Status ReadServiceTimes(const RpcCounts& message, RowCounts& counts) {
  absl::StatusOr<HistogramContents> read = ReadHistogram(message.service_time_ns());
  if (!read.ok()) {
    return absl::Status(read.status().code(),
                        absl::StrCat("service_time_ns.", read.status().message()));
  }
  if (message.service_time_ns().count() != message.measured_successes()) {
    return absl::InvalidArgumentError(
        absl::StrCat("service_time_ns.count is ", message.service_time_ns().count(),
                     "; it must be measured_successes, ", message.measured_successes()));
  }
  if (read->buckets.empty()) return absl::OkStatus();
  if (read->layout.sub_bucket_bits() != kRowLayout.sub_bucket_bits()) {
    return absl::InvalidArgumentError(absl::StrCat("service_time_ns.sub_bucket_bits is ",
                                                   read->layout.sub_bucket_bits(), "; it must be ",
                                                   kRowLayout.sub_bucket_bits()));
  }
  counts.totals.service_time_sum_ns = read->totals.sum;
  counts.service_times.reserve(read->buckets.size());
  for (const HistogramContents::Bucket& bucket : read->buckets) {
    counts.service_times.push_back({.index = bucket.index, .count = bucket.count});
  }
  return absl::OkStatus();
}

absl::StatusOr<RowCounts> ReadRpc(const RpcCounts& message) {
  RETURN_IF_ERROR(NotNegative("measured_successes", message.measured_successes()));
  RETURN_IF_ERROR(NotNegative("failures", message.failures()));
  RETURN_IF_ERROR(NotNegative("warmup_successes", message.warmup_successes()));
  RETURN_IF_ERROR(NotNegative("request_bytes", message.request_bytes()));
  RETURN_IF_ERROR(NotNegative("response_bytes", message.response_bytes()));
  RowCounts counts;
  counts.totals.measured_successes = message.measured_successes();
  counts.totals.failures = message.failures();
  counts.totals.warmup_successes = message.warmup_successes();
  counts.totals.request_bytes = message.request_bytes();
  counts.totals.response_bytes = message.response_bytes();
  RETURN_IF_ERROR(ReadServiceTimes(message, counts));
  return counts;
}

absl::Status ReadRow(const TimeSeriesRow& row, const RowSpan& span,
                     std::vector<ReadCounts>& counts) {
  std::optional<int32_t> previous;
  for (const RpcCounts& message : row.rpcs()) {
    const int32_t rpc = message.rpc_index();
    if (rpc < 0 || (previous && rpc <= *previous)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "rpcs.rpc_index is ", rpc, "; indices must increase and must not be negative"));
    }
    previous = rpc;
    absl::StatusOr<RowCounts> read = ReadRpc(message);
    if (!read.ok()) {
      return absl::Status(read.status().code(),
                          absl::StrCat("rpcs of rpc_index ", rpc, ": ", read.status().message()));
    }
    counts.push_back(
        {.span = span, .rpc = RpcIndex(static_cast<size_t>(rpc)), .counts = *std::move(read)});
  }
  return absl::OkStatus();
}

// Row `i` comes after that of `previous`, if that is one, and lies in a time that can be told in
// ns.
absl::Status CheckIndex(int i, const TimeSeriesRow& row, const RowSpan& previous) {
  const int64_t limit = std::numeric_limits<int64_t>::max() / previous.duration_ns();
  if (i > 0 && row.index() <= previous.index) {
    return absl::InvalidArgumentError(absl::StrCat("rows[", i, "].index is ", row.index(),
                                                   " after ", previous.index,
                                                   "; rows must be in order"));
  }
  if (row.index() >= -limit && row.index() <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("rows[", i, "].index is ", row.index(), "; it must be ", -limit, " to ", limit));
}

absl::StatusOr<std::vector<ReadCounts>> Read(const TimeSeries& message) {
  std::vector<ReadCounts> counts;
  if (message.rows().empty()) return counts;
  RowSpan span;
  ASSIGN_OR_RETURN(span.doublings, ReadDoublings(message));
  for (int i = 0; i < message.rows_size(); ++i) {
    const TimeSeriesRow& row = message.rows(i);
    RETURN_IF_ERROR(CheckIndex(i, row, span));
    span.index = row.index();
    const absl::Status read = ReadRow(row, span, counts);
    if (!read.ok()) {
      return absl::Status(read.code(), absl::StrCat("rows[", i, "].", read.message()));
    }
  }
  return counts;
}

void WriteServiceTimes(const RowCounts& counts, Histogram& message) {
  message.set_sub_bucket_bits(kRowLayout.sub_bucket_bits());
  message.set_count(counts.totals.measured_successes);
  message.set_min(kRowLayout.Midpoint(counts.service_times.front().index));
  message.set_max(kRowLayout.Midpoint(counts.service_times.back().index));
  message.set_sum_low(absl::Uint128Low64(counts.totals.service_time_sum_ns));
  message.set_sum_high(absl::Uint128High64(counts.totals.service_time_sum_ns));
  uint32_t previous = 0;
  for (const RowBucket& bucket : counts.service_times) {
    message.add_bucket_index_deltas(bucket.index - previous);
    message.add_bucket_counts(bucket.count);
    previous = bucket.index;
  }
}

void WriteRpc(RpcIndex rpc, const RowCounts& counts, RpcCounts& message) {
  message.set_rpc_index(static_cast<int32_t>(rpc.value()));
  message.set_measured_successes(counts.totals.measured_successes);
  message.set_failures(counts.totals.failures);
  message.set_warmup_successes(counts.totals.warmup_successes);
  message.set_request_bytes(counts.totals.request_bytes);
  message.set_response_bytes(counts.totals.response_bytes);
  if (!counts.service_times.empty()) {
    WriteServiceTimes(counts, *message.mutable_service_time_ns());
  }
}

// Whether all RPCs together still fit into one row, which they may come to.
absl::Status CheckTotal(const TimeSeriesRows& rows) {
  int64_t total = 0;
  rows.ForEach([&total](const RowSpan&, RpcIndex, const RowCounts& counts) {
    AddSaturating(counts.totals.measured_successes, total);
  });
  if (total <= kMaxMessageCount) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("measured_successes of all nodes add up to ",
                                                 total, "; they must not exceed ",
                                                 kMaxMessageCount));
}

}  // namespace

absl::Status CheckTimeSeries(const TimeSeries& message) { return Read(message).status(); }

absl::Status AddTimeSeries(const TimeSeries& message, TimeSeriesRows* rows) {
  ASSIGN_OR_RETURN(const std::vector<ReadCounts> read, Read(message));
  for (const ReadCounts& one : read) rows->Add(one.span, one.rpc, one.counts);
  return absl::OkStatus();
}

void WriteTimeSeries(TimeSeriesRows rows, TimeSeries& message) {
  message.Clear();
  rows.Settle();
  if (rows.empty()) return;
  TimeSeriesRow* row = nullptr;
  rows.ForEach([&](const RowSpan& span, RpcIndex rpc, const RowCounts& counts) {
    if (row == nullptr || row->index() != span.index) {
      message.set_row_duration_ns(span.duration_ns());
      row = message.add_rows();
      row->set_index(span.index);
    }
    WriteRpc(rpc, counts, *row->add_rpcs());
  });
}

absl::StatusOr<TimeSeries> SumOfTimeSeries(const TimeSeries& sum, const TimeSeries& added) {
  TimeSeriesRows rows;
  RETURN_IF_ERROR(AddTimeSeries(added, &rows));
  RETURN_IF_ERROR(AddTimeSeries(sum, &rows));
  RETURN_IF_ERROR(CheckTotal(rows));
  TimeSeries total;
  WriteTimeSeries(std::move(rows), total);
  return total;
}

}  // namespace distbench
