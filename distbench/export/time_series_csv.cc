#include "distbench/export/time_series_csv.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/result_names.h"
#include "distbench/export/sample_csv.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr char kHeader[] =
    "test,time_s,row_s,rpc,successes,failures,warmup_successes,kqps,request_mib_s,response_mib_s,"
    "p50_us,p90_us,p99_us,max_us\r\n";

constexpr int64_t kNsPerS = 1'000'000'000;
constexpr double kNsPerUs = 1e3;
constexpr double kBytesPerMib = 1 << 20;

std::string ServiceTimeFields(const LogLinearHistogram& histogram) {
  if (histogram.totals().count == 0) return ",,,";
  const auto us = [](int64_t ns) {
    return absl::StrFormat("%.3f", static_cast<double>(ns) / kNsPerUs);
  };
  return absl::StrCat(us(histogram.Quantile(500'000)), ",", us(histogram.Quantile(900'000)), ",",
                      us(histogram.Quantile(990'000)), ",", us(histogram.totals().max));
}

class TestRows {
 public:
  TestRows(const TestResult& test, const std::string& label, std::ostream& out)
      : test_(test), test_field_(CsvField(label)), out_(out) {}

  absl::Status Write() const {
    for (const TimeSeriesRow& row : test_.time_series().rows()) {
      for (const RpcCounts& counts : row.rpcs()) RETURN_IF_ERROR(WriteRow(row.index(), counts));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status WriteRow(int64_t index, const RpcCounts& counts) const {
    HistogramPageSlab slab;
    LogLinearHistogram service_time(slab);
    RETURN_IF_ERROR(MergeHistogram(counts.service_time_ns(), service_time));
    const int64_t row_s = test_.time_series().row_duration_ns() / kNsPerS;
    const auto per_second = [row_s](int64_t count) {
      return static_cast<double>(count) / static_cast<double>(std::max<int64_t>(row_s, 1));
    };
    // Wide, since indices come from a file.
    const auto time_s = static_cast<double>(absl::int128(index) * row_s);
    out_ << absl::StrCat(test_field_, ",", absl::StrFormat("%.0f", time_s), ",", row_s, ",",
                         CsvField(RpcName(test_, counts.rpc_index())), ",")
         << absl::StrCat(counts.measured_successes(), ",", counts.failures(), ",",
                         counts.warmup_successes(), ",")
         << absl::StrFormat("%.3f,%.3f,%.3f,", per_second(counts.measured_successes()) / 1e3,
                            per_second(counts.request_bytes()) / kBytesPerMib,
                            per_second(counts.response_bytes()) / kBytesPerMib)
         << ServiceTimeFields(service_time) << "\r\n";
    return absl::OkStatus();
  }

  const TestResult& test_;
  const std::string test_field_;
  std::ostream& out_;
};

absl::int128 RpcsInLogs(const TestResult& test) {
  absl::int128 rpcs = 0;
  for (const auto& [instance, log] : test.service_logs().instance_logs()) {
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      rpcs += statistics.measured_success().count();
      rpcs += statistics.measured_failure().count();
      rpcs += statistics.warmup_success().count();
      rpcs += statistics.warmup_failure().count();
    }
  }
  return rpcs;
}

absl::int128 RpcsInRows(const TimeSeries& time_series) {
  absl::int128 rpcs = 0;
  for (const TimeSeriesRow& row : time_series.rows()) {
    for (const RpcCounts& counts : row.rpcs()) {
      rpcs += counts.measured_successes();
      rpcs += counts.failures();
      rpcs += counts.warmup_successes();
    }
  }
  return rpcs;
}

}  // namespace

absl::Status WriteTimeSeriesCsv(const TestSequenceResults& results, std::ostream& out) {
  out << kHeader;
  const std::vector<std::string> labels = TestLabels(results);
  for (int i = 0; i < results.test_results_size(); ++i) {
    const absl::Status written = TestRows(results.test_results(i), labels[i], out).Write();
    if (written.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("test_results[", i, "].time_series: ", written.message()));
  }
  return absl::OkStatus();
}

int64_t CountRpcsWithoutTime(const TestSequenceResults& results) {
  absl::int128 missing = 0;
  for (const TestResult& test : results.test_results()) {
    missing += std::max<absl::int128>(RpcsInLogs(test) - RpcsInRows(test.time_series()), 0);
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return missing > kMost ? kMost : static_cast<int64_t>(missing);
}

}  // namespace distbench
