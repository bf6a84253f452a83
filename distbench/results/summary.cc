#include "distbench/results/summary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "distbench/results/summary_sections.h"
#include "distbench/results/test_figures.h"
#include "distbench/results/verdict.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// Writes the sections one after another.
class SummaryWriter {
 public:
  SummaryWriter(const Plan& plan, const TestFigures& figures, const TestResult& result)
      : plan_(plan), figures_(figures), result_(result), seconds_(TotalSeconds(figures)) {}

  std::vector<std::string> Write() && {
    WriteLatencies();
    WriteCommunication();
    WriteInstances();
    WriteGlobal();
    WriteLines(DescribeRpcStatistics(plan_, figures_));
    WriteLines(DescribeOpenLoops(plan_, figures_));
    WriteLines(DescribeReplays(figures_));
    WriteLines(DescribeServers(plan_, figures_));
    WriteLines(DescribeOneWayRpcs(plan_, figures_, result_));
    WriteLines(DescribeIterations(figures_));
    WriteLines(DescribeActivities(plan_, result_));
    WriteLines(DescribeDrivers(plan_, result_));
    WriteLines(DescribeCpu(figures_, result_));
    if (result_.report().has_verdict()) WriteLines(DescribeVerdict(result_.report().verdict()));
    WriteErrors();
    const RpcTotals& totals = figures_.totals();
    WriteCountIfAny("Cancelled RPCs", totals.cancelled);
    WriteCountIfAny("Abandoned RPCs", totals.abandoned);
    WriteCountIfAny("Samples left out", totals.samples_left_out);
    WriteListIfAny("Engine errors:", figures_.engine_errors());
    WriteListIfAny("Left out of this summary:", figures_.unusable());
    return std::move(lines_);
  }

 private:
  struct Bytes {
    int64_t sent = 0;
    int64_t received = 0;
  };

  static double TotalSeconds(const TestFigures& figures);
  void WriteLatencies();
  void WriteLatency(const std::string& rpc, const LogLinearHistogram& latencies);
  void WriteCommunication();
  void WriteInstances();
  void WriteGlobal();
  void WriteErrors();
  void WriteCountIfAny(const char* what, int64_t count);
  void WriteListIfAny(const char* title, const std::vector<std::string>& items);
  void WriteLines(const std::vector<std::string>& lines);

  // A line is one line, whatever a peer put into its text.
  void Line(std::string text) {
    lines_.push_back(absl::StrReplaceAll(text, {{"\n", "\\n"}, {"\r", "\\r"}}));
  }

  double PerSecond(double amount) const { return seconds_ > 0 ? amount / seconds_ : 0; }
  double MiBPerSecond(int64_t bytes) const { return PerSecond(static_cast<double>(bytes) / kMiB); }
  double Kqps(int64_t rpcs) const { return PerSecond(static_cast<double>(rpcs) / 1000); }

  const Plan& plan_;
  const TestFigures& figures_;
  const TestResult& result_;
  const double seconds_;  // 0: nothing was measured
  std::vector<std::string> lines_;
};

double SummaryWriter::TotalSeconds(const TestFigures& figures) {
  const OutcomeTotals& measured = figures.totals().outcomes[Outcome::kMeasuredSuccess];
  if (measured.count == 0) return 0;
  const absl::int128 total_ns = absl::int128(measured.last_end_ns) - measured.first_start_ns;
  return static_cast<double>(total_ns) / 1e9;
}

void SummaryWriter::WriteLatencies() {
  Line("RPC latency summary:");
  HistogramPageSlab no_pages;
  const LogLinearHistogram nothing(no_pages);
  const auto& times = figures_.times();
  int32_t position = 0;
  for (const RpcPlan& rpc : plan_.rpcs) {
    const auto found = times.find(position++);
    WriteLatency(rpc.name, found != times.end() ? found->second.service_time : nothing);
  }
  for (const auto& [rpc, histograms] : times) {
    if (rpc >= 0 && rpc < position) continue;
    WriteLatency(absl::StrCat("unknown RPC ", rpc), histograms.service_time);
  }
}

void SummaryWriter::WriteLatency(const std::string& rpc, const LogLinearHistogram& latencies) {
  const LogLinearHistogram::Totals& totals = latencies.totals();
  if (totals.count == 0) {
    Line(absl::StrCat("  ", rpc, ": N: 0"));
    return;
  }
  Line(absl::StrFormat(
      "  %s: N: %d min: %dns median: %dns 90%%: %dns 99%%: %dns 99.9%%: %dns max: %dns", rpc,
      totals.count, totals.min, latencies.Quantile(500'000), latencies.Quantile(900'000),
      latencies.Quantile(990'000), latencies.Quantile(999'000), totals.max));
}

void SummaryWriter::WriteCommunication() {
  Line("Communication summary:");
  for (const auto& [pair, traffic] : figures_.traffic()) {
    Line(
        absl::StrFormat("  %s -> %s: RPCs: %d (%.2f kQPS) Request: %.1f MiB/s Response: %.1f MiB/s",
                        figures_.instances()[pair.first], figures_.instances()[pair.second],
                        traffic.rpcs, Kqps(traffic.rpcs), MiBPerSecond(traffic.request_bytes),
                        MiBPerSecond(traffic.response_bytes)));
  }
}

void SummaryWriter::WriteInstances() {
  Line("Instance summary:");
  std::map<TestFigures::InstancePosition, Bytes> instances;
  for (const auto& [pair, traffic] : figures_.traffic()) {
    Bytes& client = instances[pair.first];
    AddSaturating(traffic.request_bytes, client.sent);
    AddSaturating(traffic.response_bytes, client.received);
    Bytes& server = instances[pair.second];
    AddSaturating(traffic.response_bytes, server.sent);
    AddSaturating(traffic.request_bytes, server.received);
  }
  for (const auto& [position, bytes] : instances) {
    Line(absl::StrFormat("  %s: Tx: %.1f MiB/s, Rx:%.1f MiB/s", figures_.instances()[position],
                         MiBPerSecond(bytes.sent), MiBPerSecond(bytes.received)));
  }
}

void SummaryWriter::WriteGlobal() {
  const auto& outcomes = figures_.totals().outcomes;
  OutcomeTotals all, failed, warmup;
  for (const Outcome outcome : kOutcomes) all.Merge(outcomes[outcome]);
  failed.Merge(outcomes[Outcome::kMeasuredFailure]);
  failed.Merge(outcomes[Outcome::kWarmupFailure]);
  warmup.Merge(outcomes[Outcome::kWarmupSuccess]);
  warmup.Merge(outcomes[Outcome::kWarmupFailure]);
  const OutcomeTotals& measured = outcomes[Outcome::kMeasuredSuccess];
  int64_t sent = measured.request_bytes;
  AddSaturating(measured.response_bytes, sent);
  Line("Global summary:");
  Line(absl::StrCat("  Total samples: ", all.count));
  Line(absl::StrCat("  Failed samples: ", failed.count));
  Line(absl::StrCat("  Warmup samples: ", warmup.count));
  Line(absl::StrFormat("  Total time: %.3fs", seconds_));
  Line(absl::StrFormat("  Total Tx: %d MiB (%.1f MiB/s), Total Nb RPCs: %d (%.2f kQPS)",
                       sent / kMiB, MiBPerSecond(sent), measured.count, Kqps(measured.count)));
}

void SummaryWriter::WriteErrors() {
  constexpr size_t kMaxLines = 20;
  if (figures_.errors().empty()) return;
  std::vector<std::pair<int64_t, std::string>> errors;  // most frequent first, then by text
  for (const auto& [text, count] : figures_.errors()) errors.emplace_back(-count, text);
  std::sort(errors.begin(), errors.end());
  Line("Errors:");
  const size_t shown = std::min(errors.size(), kMaxLines);
  int64_t others = 0;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (i < shown) {
      Line(absl::StrCat("  ", -errors[i].first, " x: ", errors[i].second));
    } else {
      AddSaturating(-errors[i].first, others);
    }
  }
  if (others > 0) {
    Line(absl::StrCat("  ", others, " x: ", errors.size() - shown, " other errors"));
  }
}

void SummaryWriter::WriteCountIfAny(const char* what, int64_t count) {
  if (count > 0) Line(absl::StrCat(what, ": ", count));
}

void SummaryWriter::WriteListIfAny(const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  Line(title);
  for (const std::string& item : items) Line(absl::StrCat("  ", item));
}

void SummaryWriter::WriteLines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) Line(line);
}

}  // namespace

std::vector<std::string> SummarizeTest(const Plan& plan, const TestResult& result) {
  const TestFigures figures(plan, result.service_logs());
  return SummaryWriter(plan, figures, result).Write();
}

}  // namespace distbench
