#include "distbench/export/summary_time_series.h"

#include "distbench/base/status_macros.h"
#include "distbench/export/result_names.h"
#include "distbench/export/summary_figures.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

constexpr double kNsPerS = 1e9;

absl::Status WriteRpc(const RpcCounts& counts, summary_json::TimeSeriesRow& row) {
  row.set_measured_successes(static_cast<double>(counts.measured_successes()));
  row.set_failures(static_cast<double>(counts.failures()));
  row.set_warmup_successes(static_cast<double>(counts.warmup_successes()));
  row.set_request_bytes(static_cast<double>(counts.request_bytes()));
  row.set_response_bytes(static_cast<double>(counts.response_bytes()));
  if (counts.service_time_ns().count() == 0) return absl::OkStatus();
  HistogramPageSlab slab;
  LogLinearHistogram service_time(slab);
  RETURN_IF_ERROR(MergeHistogram(counts.service_time_ns(), service_time));
  WriteDistribution(service_time, *row.mutable_service_time_ns());
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteRows(const TestResult& test, summary_json::Test& summary) {
  const double row_seconds = static_cast<double>(test.time_series().row_duration_ns()) / kNsPerS;
  for (const TimeSeriesRow& row : test.time_series().rows()) {
    for (const RpcCounts& counts : row.rpcs()) {
      summary_json::TimeSeriesRow& into = *summary.add_time_series();
      into.set_time_seconds(static_cast<double>(row.index()) * row_seconds);
      into.set_row_seconds(row_seconds);
      into.set_rpc(RpcName(test, counts.rpc_index()));
      RETURN_IF_ERROR(WriteRpc(counts, into));
    }
  }
  return absl::OkStatus();
}

}  // namespace distbench
