#include "distbench/results/test_figures.h"

#include <algorithm>
#include <limits>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/natural_order.h"
#include "distbench/results/replay_statistics.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/sample_statistics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

std::string ErrorText(const ErrorDictionary& dictionary, int32_t index) {
  if (index < 0 || index >= dictionary.error_message_size()) {
    return absl::StrCat("unknown error (error_index ", index, " is not in the error_dictionary)");
  }
  const std::string& text = dictionary.error_message(index);
  return text.empty() ? "unknown error" : text;
}

bool CountsAnything(const RpcTotals& totals) {
  if (totals.cancelled > 0 || totals.abandoned > 0) return true;
  return std::any_of(kOutcomes.begin(), kOutcomes.end(),
                     [&](Outcome outcome) { return totals.outcomes[outcome].count > 0; });
}

// From the first start to the last end; 0 if nothing ended.
int64_t DurationNs(const OutcomeTotals& totals) {
  if (totals.count == 0) return 0;
  const absl::int128 duration_ns = absl::int128(totals.last_end_ns) - totals.first_start_ns;
  return static_cast<int64_t>(
      std::min<absl::int128>(duration_ns, std::numeric_limits<int64_t>::max()));
}

template <typename Map>
std::vector<typename Map::key_type> SortedKeys(const Map& map) {
  std::vector<typename Map::key_type> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

TestFigures::TestFigures(const Plan& plan, const ServiceLogs& logs) {
  NameInstances(plan, logs);
  for (const std::string& instance : instances_) {
    const auto log = logs.instance_logs().find(instance);
    if (log != logs.instance_logs().end()) AddLog(instance, log->second);
  }
}

void TestFigures::NameInstances(const Plan& plan, const ServiceLogs& logs) {
  std::vector<std::string> logged;
  for (const auto& [instance, log] : logs.instance_logs()) {
    logged.push_back(instance);
    for (const auto& [peer, peer_log] : log.peer_logs()) logged.push_back(peer);
    for (const ReplayStatistics& replay : log.replays()) {
      for (const auto& [peer, statistics] : replay.peers()) logged.push_back(peer);
    }
  }
  std::sort(logged.begin(), logged.end(),
            [](const std::string& a, const std::string& b) { return NaturalLess(a, b); });
  const auto add = [this](const std::string& name) {
    if (positions_.emplace(name, instances_.size()).second) instances_.push_back(name);
  };
  for (const InstancePlan& instance : plan.instances) add(instance.name);
  for (const std::string& name : logged) add(name);
}

void TestFigures::AddLog(const std::string& instance, const ServicePerformanceLog& log) {
  if (!log.engine_error_message().empty()) {
    engine_errors_.push_back(absl::StrCat(instance, ": ", log.engine_error_message()));
  }
  OutcomeTotals ended;
  for (const std::string& peer : SortedKeys(log.peer_logs())) {
    const auto& rpc_logs = log.peer_logs().at(peer).rpc_logs();
    const ClientAndServer pair(positions_.at(instance), positions_.at(peer));
    for (const int32_t rpc : SortedKeys(rpc_logs)) {
      const RpcPerformanceLog& rpc_log = rpc_logs.at(rpc);
      const std::string place =
          absl::StrCat(instance, ": peer_logs[", peer, "].rpc_logs[", rpc, "]");
      if (rpc_log.has_statistics()) {
        AddPair(pair, place + ".statistics", rpc_log.statistics(), log.error_dictionary(), ended);
      } else {
        const RpcStatistics computed = StatisticsFromSamples(rpc_log);
        AddPair(pair, place, computed, log.error_dictionary(), ended);
        if (!log.rpc_statistics().contains(rpc)) AddTimes(rpc, place, computed);
      }
    }
  }
  AddReplays(instance, log, ended);
  longest_activity_ns_ = std::max(longest_activity_ns_, DurationNs(ended));
  for (const int32_t rpc : SortedKeys(log.rpc_statistics())) {
    AddTimes(rpc, absl::StrCat(instance, ": rpc_statistics[", rpc, "]"),
             log.rpc_statistics().at(rpc));
  }
  AddServedAndIterations(instance, log);
}

void TestFigures::AddServedAndIterations(const std::string& instance,
                                         const ServicePerformanceLog& log) {
  const auto list_unless_ok = [&](const std::string& place, const absl::Status& status) {
    if (status.ok()) return;
    unusable_.push_back(absl::StrCat(instance, ": ", place, ".", status.message()));
  };
  for (const int32_t rpc : SortedKeys(log.served_rpcs())) {
    ServedTimes& times = served_.try_emplace(rpc, slab_).first->second;
    list_unless_ok(absl::StrCat("served_rpcs[", rpc, "]"),
                   MergeServedTimes(log.served_rpcs().at(rpc), times));
  }
  for (int i = 0; i < log.iterations_size(); ++i) {
    const IterationStatistics& message = log.iterations(i);
    const ListAndAction place(message.action_list(), message.action());
    IterationTimes& times = iterations_.try_emplace(place, slab_).first->second;
    list_unless_ok(absl::StrCat("iterations[", i, "]"), MergeIterationTimes(message, times));
  }
}

void TestFigures::AddPair(const ClientAndServer& pair, const std::string& place,
                          const RpcStatistics& counted, const ErrorDictionary& dictionary,
                          OutcomeTotals& ended) {
  RpcTotals totals;
  if (const absl::Status status = ReadTotals(counted, totals); !status.ok()) {
    unusable_.push_back(absl::StrCat(place, ".", status.message()));
    return;
  }
  if (!CountsAnything(totals)) return;
  AddTotals(totals, dictionary, ended);
  AddTraffic(pair, totals);
}

void TestFigures::AddTotals(const RpcTotals& totals, const ErrorDictionary& dictionary,
                            OutcomeTotals& ended) {
  totals_.MergeCounters(totals);
  for (const Outcome outcome : kOutcomes) ended.Merge(totals.outcomes[outcome]);
  for (const auto& [index, count] : totals.error_counts) {
    AddSaturating(count, errors_[ErrorText(dictionary, index)]);
  }
}

void TestFigures::AddTraffic(const ClientAndServer& pair, const RpcTotals& totals) {
  TrafficFigures& traffic = traffic_[pair];
  const OutcomeTotals& measured = totals.outcomes[Outcome::kMeasuredSuccess];
  AddSaturating(measured.count, traffic.rpcs);
  AddSaturating(measured.request_bytes, traffic.request_bytes);
  AddSaturating(measured.response_bytes, traffic.response_bytes);
  for (const Outcome outcome : kOutcomes) {
    AddSaturating(totals.outcomes[outcome].count, traffic.finished);
  }
}

void TestFigures::AddReplays(const std::string& instance, const ServicePerformanceLog& log,
                             OutcomeTotals& ended) {
  int position = 0;
  for (const ReplayStatistics& replay : log.replays()) {
    const std::string place = absl::StrCat(instance, ": replays[", position++, "]");
    AddReplay(instance, place, replay, log.error_dictionary(), ended);
  }
  for (const ReplayStatistics& replay : ReplaysKnownBySamples(log)) {
    AddReplay(instance, absl::StrCat(instance, ": replay_trace_logs"), replay,
              log.error_dictionary(), ended);
  }
}

void TestFigures::AddReplay(const std::string& instance, const std::string& place,
                            const ReplayStatistics& replay, const ErrorDictionary& dictionary,
                            OutcomeTotals& ended) {
  RpcTotals totals;
  absl::Status sound = CheckReplay(replay);
  if (sound.ok()) sound = ReadTotals(replay.statistics(), totals);
  if (!sound.ok()) {
    unusable_.push_back(absl::StrCat(place, ".", sound.message()));
    return;
  }
  AddTotals(totals, dictionary, ended);
  for (const std::string& peer : SortedKeys(replay.peers())) {
    RpcTotals to_peer;
    const absl::Status read = ReadTotals(replay.peers().at(peer), to_peer);
    if (read.ok() && CountsAnything(to_peer)) {
      AddTraffic({positions_.at(instance), positions_.at(peer)}, to_peer);
    }
  }
  AddTimes(place + ".statistics", replay.statistics(),
           replays_.try_emplace(replay.rpc_replay_trace_name(), slab_).first->second);
}

void TestFigures::AddTimes(int32_t rpc, const std::string& place, const RpcStatistics& statistics) {
  if (!statistics.has_measured_success()) return;
  AddTimes(place, statistics, times_.try_emplace(rpc, slab_).first->second);
}

void TestFigures::AddTimes(const std::string& place, const RpcStatistics& statistics,
                           OutcomeHistograms& times) {
  const OutcomeStatistics& measured = statistics.measured_success();
  const std::string field = absl::StrCat(place, ".measured_success.");
  AddHistogram(field + "service_time_ns", measured.service_time_ns(), times.service_time);
  AddHistogram(field + "response_time_ns", measured.response_time_ns(), times.response_time);
  AddHistogram(field + "lateness_ns", measured.lateness_ns(), times.lateness);
}

void TestFigures::AddHistogram(const std::string& place, const Histogram& message,
                               LogLinearHistogram& to) {
  const absl::Status status = MergeHistogram(message, to);
  if (!status.ok()) unusable_.push_back(absl::StrCat(place, ".", status.message()));
}

}  // namespace distbench
