#include "distbench/export/hdr_log.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/hdr_encoding.h"
#include "distbench/export/merged_rpcs.h"
#include "distbench/export/result_names.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerS = 1e9;

struct LogLine {
  std::string tag;
  int64_t start_ns = 0;  // since the epoch
  int64_t end_ns = 0;
  int64_t max_ns = 0;
  std::string histogram;  // as it stands in the log
};

double Seconds(int64_t from_ns, int64_t to_ns) {
  return static_cast<double>(absl::int128(to_ns) - from_ns) / kNsPerS;
}

absl::Status AppendLines(const TestResult& test, const std::string& label, UniqueNames* tags,
                         std::vector<LogLine>* lines) {
  MergedRpcs merged;
  RETURN_IF_ERROR(merged.Add(test));
  for (const auto& [rpc, figures] : merged.by_rpc()) {
    const OutcomeTotals& totals = figures.totals.outcomes[Outcome::kMeasuredSuccess];
    const OutcomeHistograms* histograms = figures.histograms.Find(Outcome::kMeasuredSuccess);
    if (histograms == nullptr || totals.count == 0) continue;
    const LogLinearHistogram& service_time = histograms->service_time;
    lines->push_back(
        {.tag = tags->Take(HdrTag(absl::StrCat(label, "/", RpcName(test, rpc)))),
         .start_ns = totals.first_start_ns,
         .end_ns = totals.last_end_ns,
         .max_ns = service_time.totals().max,
         .histogram = absl::Base64Escape(CompressHdrHistogram(EncodeHdrHistogram(service_time)))});
  }
  return absl::OkStatus();
}

void WriteHeader(int64_t start_ns, std::ostream& out) {
  const double start_s = Seconds(0, start_ns);
  out << "#[Histogram log format version 1.3]\n"
      << "#[Values: service time of measured successes, in ns; Interval_Max in ms]\n"
      << absl::StrFormat("#[BaseTime: %.3f (seconds since epoch)]\n", start_s)
      << absl::StrFormat("#[StartTime: %.3f (seconds since epoch), %s]\n", start_s,
                         absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixNanos(start_ns),
                                          absl::UTCTimeZone()))
      << "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
         "\"Interval_Compressed_Histogram\"\n";
}

}  // namespace

absl::Status WriteHdrLog(const TestSequenceResults& results, std::ostream& out) {
  const std::vector<std::string> labels = TestLabels(results);
  UniqueNames tags;
  std::vector<LogLine> lines;
  for (int i = 0; i < results.test_results_size(); ++i) {
    const absl::Status appended = AppendLines(results.test_results(i), labels[i], &tags, &lines);
    if (appended.ok()) continue;
    return absl::InvalidArgumentError(absl::StrCat("test_results[", i, "]: ", appended.message()));
  }
  int64_t start_ns = lines.empty() ? 0 : lines.front().start_ns;
  for (const LogLine& line : lines) start_ns = std::min(start_ns, line.start_ns);
  WriteHeader(start_ns, out);
  for (const LogLine& line : lines) {
    out << absl::StrFormat("Tag=%s,%.3f,%.3f,%.3f,%s\n", line.tag, Seconds(start_ns, line.start_ns),
                           Seconds(line.start_ns, line.end_ns),
                           static_cast<double>(line.max_ns) / kNsPerMs, line.histogram);
  }
  return absl::OkStatus();
}

std::string HdrTag(absl::string_view name) {
  std::string tag(name);
  for (char& c : tag) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c)) || c == ',') c = '_';
  }
  return tag;
}

}  // namespace distbench
