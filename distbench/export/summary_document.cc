#include "distbench/export/summary_document.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/merged_rpcs.h"
#include "distbench/export/result_names.h"
#include "distbench/export/sorted_keys.h"
#include "distbench/export/summary_figures.h"
#include "distbench/export/summary_nodes.h"
#include "distbench/export/summary_time_series.h"
#include "distbench/export/summary_times.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/rpc_statistics.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// Where the message keeps an outcome.
struct OutcomeField {
  Outcome outcome;
  summary_json::Outcome* (summary_json::Rpc::*mutate)();
};
constexpr OutcomeField kOutcomeFields[] = {
    {Outcome::kMeasuredSuccess, &summary_json::Rpc::mutable_measured_success},
    {Outcome::kMeasuredFailure, &summary_json::Rpc::mutable_measured_failure},
    {Outcome::kWarmupSuccess, &summary_json::Rpc::mutable_warmup_success},
    {Outcome::kWarmupFailure, &summary_json::Rpc::mutable_warmup_failure},
};

class TestSummary {
 public:
  TestSummary(const TestResult& test, summary_json::Test& summary)
      : test_(test), summary_(summary) {}

  absl::Status Fill() {
    RETURN_IF_ERROR(merged_.Add(test_));
    for (const auto& [rpc, merged] : merged_.by_rpc()) totals_.MergeCounters(merged.totals);
    total_seconds_ = TotalSeconds(totals_);
    FillHeading();
    FillReport();
    for (const auto& [rpc, merged] : merged_.by_rpc()) AddRpc(rpc, merged);
    RETURN_IF_ERROR(AddPairs());
    AddErrors();
    AddDriverStatistics();
    WriteNodes(test_, summary_);
    RETURN_IF_ERROR(WriteTimes(test_, summary_));
    return WriteRows(test_, summary_);
  }

 private:
  void FillHeading();
  void FillReport();
  void AddRpc(int32_t rpc, const MergedRpc& merged);
  absl::Status AddPairs();
  absl::Status AddPair(const RpcStatistics& statistics, summary_json::Pair& pair) const;
  void AddErrors();
  void AddDriverStatistics();

  double Rate(const RpcTotals& totals) const {
    const int64_t count = totals.outcomes[Outcome::kMeasuredSuccess].count;
    return total_seconds_ > 0 ? static_cast<double>(count) / total_seconds_ : 0;
  }

  const TestResult& test_;
  summary_json::Test& summary_;
  MergedRpcs merged_;
  RpcTotals totals_;
  double total_seconds_ = 0;
};

void TestSummary::FillHeading() {
  const DistributedSystemDescription& config = test_.traffic_config();
  const std::string& name = config.name();
  if (!name.empty()) summary_.set_name(name);
  const auto label = config.attributes().find("config_label");
  const std::string& config_name = label != config.attributes().end() ? label->second : name;
  if (!config_name.empty()) summary_.set_config_name(config_name);
  for (const auto& [key, value] : config.attributes()) {
    (*summary_.mutable_attributes())[key] = value;
  }
  if (total_seconds_ > 0) summary_.set_total_time_seconds(total_seconds_);
  WriteCounts(totals_, *summary_.mutable_counts());
}

void TestSummary::FillReport() {
  if (!test_.has_report()) return;
  const TestReport& report = test_.report();
  // A code that is none of the known ones becomes UNKNOWN.
  const absl::Status status(static_cast<absl::StatusCode>(report.status_code()), "");
  const absl::StatusCode code = status.code();
  summary_.mutable_status()->set_code(absl::StatusCodeToString(code));
  if (code != absl::StatusCode::kOk) {
    summary_.mutable_status()->set_message(report.status_message());
  }
  if (report.has_verdict()) *summary_.mutable_verdict() = report.verdict();
  if (report.has_seed()) summary_.set_seed(report.seed());
  if (report.has_run_id()) summary_.set_run_id(report.run_id());
}

void TestSummary::AddRpc(int32_t rpc, const MergedRpc& merged) {
  summary_json::Rpc& into = *summary_.add_rpcs();
  into.set_name(RpcName(test_, rpc));
  into.set_index(rpc);
  WriteCounts(merged.totals, *into.mutable_counts());
  into.set_rate_per_second(Rate(merged.totals));
  for (const OutcomeField& field : kOutcomeFields) {
    const OutcomeTotals& totals = merged.totals.outcomes[field.outcome];
    if (totals.count == 0) continue;
    WriteOutcome(totals, merged.histograms.Find(field.outcome), *(into.*field.mutate)());
  }
}

absl::Status TestSummary::AddPairs() {
  const auto& logs = test_.service_logs().instance_logs();
  for (const std::string& client : SortedKeys(logs)) {
    const auto& peers = logs.at(client).peer_logs();
    for (const std::string& server : SortedKeys(peers)) {
      const auto& rpc_logs = peers.at(server).rpc_logs();
      for (const int32_t rpc : SortedKeys(rpc_logs)) {
        summary_json::Pair& pair = *summary_.add_pairs();
        pair.set_client(client);
        pair.set_server(server);
        pair.set_rpc(RpcName(test_, rpc));
        RETURN_IF_ERROR(AddPair(rpc_logs.at(rpc).statistics(), pair));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status TestSummary::AddPair(const RpcStatistics& statistics, summary_json::Pair& pair) const {
  RpcTotals totals;
  RETURN_IF_ERROR(ReadTotals(statistics, totals));
  WriteCounts(totals, *pair.mutable_counts());
  pair.set_rate_per_second(Rate(totals));
  const OutcomeTotals& measured = totals.outcomes[Outcome::kMeasuredSuccess];
  if (measured.count == 0) return absl::OkStatus();
  HistogramPageSlab slab;
  OutcomeHistograms histograms(slab);
  RETURN_IF_ERROR(
      MergeHistogram(statistics.measured_success().service_time_ns(), histograms.service_time));
  WriteOutcome(measured, &histograms, *pair.mutable_measured_success());
  return absl::OkStatus();
}

void TestSummary::AddErrors() {
  for (const auto& [rpc, merged] : merged_.by_rpc()) {
    for (const auto& [message, count] : merged.errors) {
      summary_json::Error& error = *summary_.add_errors();
      error.set_rpc(RpcName(test_, rpc));
      error.set_message(message);
      error.set_count(static_cast<double>(count));
    }
  }
  auto& errors = *summary_.mutable_errors();
  std::stable_sort(errors.begin(), errors.end(),
                   [](const auto& a, const auto& b) { return a.count() > b.count(); });
  const auto& logs = test_.service_logs().instance_logs();
  for (const std::string& instance : SortedKeys(logs)) {
    const std::string& text = logs.at(instance).engine_error_message();
    if (!text.empty()) summary_.add_engine_errors(absl::StrCat(instance, ": ", text));
  }
}

void TestSummary::AddDriverStatistics() {
  const auto& logs = test_.service_logs().instance_logs();
  for (const std::string& instance : SortedKeys(logs)) {
    const auto& statistics = logs.at(instance).driver_statistics();
    if (statistics.empty()) continue;
    summary_json::DriverStatistics& into = *summary_.add_driver_statistics();
    into.set_instance(instance);
    for (const DriverStatisticLog& statistic : statistics) {
      (*into.mutable_statistics())[statistic.name()] += static_cast<double>(statistic.value());
    }
  }
}

}  // namespace

absl::Status FillSummary(const TestResult& test, summary_json::Test& summary) {
  return TestSummary(test, summary).Fill();
}

}  // namespace distbench
