#include "distbench/export/sample_csv.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/export/logged_samples.h"
#include "distbench/export/result_names.h"
#include "distbench/export/trace_path.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr char kHeader[] =
    "test,client,server,rpc,start_timestamp_ns,latency_ns,request_bytes,response_bytes,warmup,"
    "failed,error,latency_weight_ns,server_rank,replay_record,trace\r\n";

std::string OptionalField(bool present, int64_t value) {
  return present ? absl::StrCat(value) : "";
}

void WriteRow(const std::string& test_field, const LoggedSample& logged, std::ostream& out) {
  const RpcSample& sample = logged.sample;
  std::string row = absl::StrCat(test_field, ",", CsvField(logged.client), ",",
                                 CsvField(logged.server), ",", CsvField(logged.rpc), ",");
  absl::StrAppend(&row, logged.start_timestamp_ns, ",", sample.latency_ns(), ",",
                  sample.request_size(), ",", sample.response_size(), ",");
  absl::StrAppend(&row, sample.warmup() ? 1 : 0, ",", logged.failed ? 1 : 0, ",",
                  CsvField(logged.error), ",");
  absl::StrAppend(&row, OptionalField(sample.has_latency_weight(), sample.latency_weight()), ",",
                  OptionalField(sample.has_server_instance(), sample.server_instance()), ",");
  absl::StrAppend(&row,
                  OptionalField(logged.replay_record.has_value(), logged.replay_record.value_or(0)),
                  ",", sample.has_trace_context() ? TracePath(sample.trace_context()) : "", "\r\n");
  out << row;
}

}  // namespace

void WriteSampleCsv(const TestSequenceResults& results, std::ostream& out) {
  WriteSampleCsvHeader(out);
  const std::vector<std::string> labels = TestLabels(results);
  for (int i = 0; i < results.test_results_size(); ++i) {
    WriteSampleCsvRows(labels[i], results.test_results(i), out);
  }
}

void WriteSampleCsvHeader(std::ostream& out) { out << kHeader; }

void WriteSampleCsvRows(const std::string& test_label, const TestResult& test, std::ostream& out) {
  const std::string test_field = CsvField(test_label);
  ForEachSample(test, [&](const LoggedSample& sample) { WriteRow(test_field, sample, out); });
}

std::string CsvField(absl::string_view text) {
  if (text.find_first_of("\",\r\n") == absl::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace distbench
