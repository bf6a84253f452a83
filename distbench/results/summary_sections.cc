#include "distbench/results/summary_sections.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/results/cpu_use.h"
#include "distbench/results/histogram_moments.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/printed_percentiles.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr double kNsPerSecond = 1e9;

std::string RpcName(const Plan& plan, int32_t position) {
  const bool is_known = position >= 0 && static_cast<size_t>(position) < plan.rpcs.size();
  return is_known ? plan.rpcs[RpcIndex(position)].name : absl::StrCat("unknown RPC ", position);
}

std::string DescribeTimes(const std::string& what, const LogLinearHistogram& times) {
  std::string line = absl::StrCat("  ", what, ": N: ", times.totals().count);
  for (const PrintedPercentile& percentile : kPrintedPercentiles) {
    absl::StrAppend(&line, " ", percentile.name, ": ", times.Quantile(percentile.ppm), "ns");
  }
  return absl::StrCat(line, " max: ", times.totals().max, "ns");
}

// Of RPCs that have intended starts.
void DescribeStarts(const std::string& name, const OutcomeHistograms& times,
                    std::vector<std::string>& lines) {
  if (times.response_time.totals().count > 0) {
    lines.push_back(DescribeTimes(name + " response time", times.response_time));
  }
  lines.push_back(DescribeTimes(name + " service time", times.service_time));
  if (times.lateness.totals().count > 0) {
    lines.push_back(DescribeTimes(name + " lateness", times.lateness));
  }
}

// " queue median: 1ns 99%: 2ns max: 3ns"
std::string DescribeBriefly(const std::string& what, const LogLinearHistogram& times) {
  return absl::StrCat(" ", what, " median: ", times.Quantile(500'000),
                      "ns 99%: ", times.Quantile(990'000), "ns max: ", times.totals().max, "ns");
}

// RPCs that an instance of the process sent or answered.
int64_t CountRpcs(const TestFigures& figures, const ProcessCpu& process) {
  const absl::flat_hash_set<std::string> own(process.instances.begin(), process.instances.end());
  int64_t rpcs = 0;
  for (const auto& [pair, traffic] : figures.traffic()) {
    const bool takes_part = own.contains(figures.instances()[pair.first]) ||
                            own.contains(figures.instances()[pair.second]);
    if (takes_part) AddSaturating(traffic.finished, rpcs);
  }
  return rpcs;
}

std::string DescribeProcess(const TestFigures& figures, const ProcessCpu& process) {
  std::string line =
      absl::StrFormat("  %s: CPU: %.3fs", DescribeNodes(process.nodes), process.cpu_seconds);
  const double available_seconds = static_cast<double>(process.cpu_count) *
                                   static_cast<double>(figures.longest_activity_ns()) /
                                   kNsPerSecond;
  if (available_seconds > 0) {
    absl::StrAppendFormat(&line, " (%.1f%% of %d CPUs)",
                          100 * process.cpu_seconds / available_seconds, process.cpu_count);
  }
  if (process.instances.empty()) return line;
  const int64_t rpcs = CountRpcs(figures, process);
  absl::StrAppend(&line, " RPCs: ", rpcs);
  if (process.cpu_seconds > 0) {
    absl::StrAppendFormat(&line, " (%.1f per CPU second)",
                          static_cast<double>(rpcs) / process.cpu_seconds);
  }
  return line;
}

// Statistics of several drivers, summed by name, in the order in which the names came.
class StatisticSums {
 public:
  void Add(const ServicePerformanceLog& log) {
    for (const DriverStatisticLog& statistic : log.driver_statistics()) {
      const auto [sum, is_new] = sums_.try_emplace(statistic.name(), 0);
      if (is_new) names_.push_back(statistic.name());
      AddSaturating(statistic.value(), sum->second);
    }
  }
  bool empty() const { return names_.empty(); }

  // " name: 1 other name: 2"
  std::string Describe() const {
    std::string text;
    for (const std::string& name : names_) absl::StrAppend(&text, " ", name, ": ", sums_.at(name));
    return text;
  }

 private:
  std::vector<std::string> names_;
  absl::flat_hash_map<std::string, int64_t> sums_;
};

}  // namespace

std::vector<std::string> DescribeRpcStatistics(const Plan& plan, const TestFigures& figures) {
  constexpr uint32_t k9999Ppm = 999'900;
  std::vector<std::string> lines;
  for (const auto& [rpc, times] : figures.times()) {
    const LogLinearHistogram& service_time = times.service_time;
    if (service_time.totals().count == 0) continue;
    if (lines.empty()) lines.push_back("RPC statistics:");
    lines.push_back(absl::StrFormat(
        "  %s: mean: %.0fns stddev: %.0fns 99.99%%: %dns", RpcName(plan, rpc), Mean(service_time),
        StandardDeviation(service_time), service_time.Quantile(k9999Ppm)));
  }
  return lines;
}

std::vector<std::string> DescribeOpenLoops(const Plan& plan, const TestFigures& figures) {
  std::vector<std::string> lines;
  for (const auto& [rpc, times] : figures.times()) {
    if (times.lateness.totals().count == 0) continue;
    if (lines.empty()) lines.push_back("Open loop summary:");
    DescribeStarts(RpcName(plan, rpc), times, lines);
  }
  return lines;
}

std::vector<std::string> DescribeReplays(const TestFigures& figures) {
  std::vector<std::string> lines;
  for (const auto& [trace, times] : figures.replays()) {
    if (times.service_time.totals().count == 0) continue;
    if (lines.empty()) lines.push_back("Replay summary:");
    DescribeStarts(trace, times, lines);
  }
  return lines;
}

std::vector<std::string> DescribeServers(const Plan& plan, const TestFigures& figures) {
  std::vector<std::string> lines;
  for (const auto& [rpc, times] : figures.served()) {
    const uint64_t count = times.queue_time.totals().count;
    if (count == 0) continue;
    if (lines.empty()) lines.push_back("Server summary:");
    lines.push_back(absl::StrCat("  ", RpcName(plan, rpc), ": N: ", count,
                                 DescribeBriefly("queue", times.queue_time),
                                 DescribeBriefly("handler", times.handler_time)));
  }
  return lines;
}

std::vector<std::string> DescribeOneWayRpcs(const Plan& plan, const TestFigures& figures,
                                            const TestResult& result) {
  std::map<int32_t, std::set<OneWayEnd>> ends;
  for (const auto& [instance, log] : result.service_logs().instance_logs()) {
    for (const auto& [rpc, end] : log.one_way_rpcs()) ends[rpc].insert(end);
  }
  std::vector<std::string> lines;
  for (const auto& [rpc, kinds] : ends) {
    const auto sent = figures.times().find(rpc);
    const auto served = figures.served().find(rpc);
    if (lines.empty()) lines.push_back("One-way summary:");
    std::string line = absl::StrCat(
        "  ", RpcName(plan, rpc),
        ": sent: ", sent == figures.times().end() ? 0 : sent->second.service_time.totals().count,
        " served: ",
        served == figures.served().end() ? 0 : served->second.handler_time.totals().count,
        " service time until ");
    const bool is_handed_over = kinds.contains(HANDED_OVER);
    const bool is_acknowledged = kinds.contains(ACKNOWLEDGED);
    absl::StrAppend(
        &line, is_handed_over ? "handed over" : "", is_handed_over && is_acknowledged ? " or " : "",
        is_acknowledged ? "acknowledged" : "",
        is_handed_over || is_acknowledged ? "" : "an end that this program does not know");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> DescribeIterations(const TestFigures& figures) {
  std::vector<std::string> lines;
  for (const auto& [place, times] : figures.iterations()) {
    const uint64_t count = times.service_time.totals().count;
    if (count == 0) continue;
    if (lines.empty()) lines.push_back("Iteration summary:");
    std::string line = absl::StrCat("  ", place.first, "/", place.second, ": N: ", count,
                                    DescribeBriefly("service", times.service_time));
    if (times.response_time.totals().count > 0) {
      absl::StrAppend(&line, DescribeBriefly("response", times.response_time));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// Of calibrated work, over all instances that did it.
std::string DescribeCalibratedWork(const std::vector<const CalibratedWorkStatistics*>& logs) {
  HistogramPageSlab slab;
  LogLinearHistogram cpu_time(slab);
  LogLinearHistogram wall_time(slab);
  double least = logs.front()->units_per_us();
  double most = least;
  double disagreement = 0;
  for (const CalibratedWorkStatistics* log : logs) {
    // What cannot be read is left out.
    MergeHistogram(log->cpu_time_ns(), cpu_time).IgnoreError();
    MergeHistogram(log->wall_time_ns(), wall_time).IgnoreError();
    least = std::min(least, log->units_per_us());
    most = std::max(most, log->units_per_us());
    disagreement = std::max(disagreement, log->disagreement());
  }
  return absl::StrCat(
      absl::StrFormat(" %s work of %d ns", logs.front()->kind(), logs.front()->nominal_ns()),
      DescribeBriefly("cpu", cpu_time), DescribeBriefly("wall", wall_time),
      absl::StrFormat(" calibration: %.1f to %.1f units/us (to %.1f %%)", least, most,
                      100 * disagreement));
}

std::vector<std::string> DescribeActivities(const Plan& plan, const TestResult& result) {
  std::vector<std::string> lines;
  for (const ActivityPlan& activity : plan.activities) {
    int64_t iterations = 0;
    bool has_run = false;
    std::vector<const CalibratedWorkStatistics*> calibrated;
    for (const auto& [instance, log] : result.service_logs().instance_logs()) {
      const auto found = log.activity_logs().find(activity.name);
      if (found == log.activity_logs().end()) continue;
      if (found->second.has_calibrated_work()) {
        calibrated.push_back(&found->second.calibrated_work());
      }
      for (const ActivityMetric& metric : found->second.activity_metrics()) {
        if (metric.name() != "iteration_count") continue;
        has_run = true;
        AddSaturating(metric.value_int(), iterations);
      }
    }
    if (!has_run) continue;
    if (lines.empty()) lines.push_back("Activity summary:");
    lines.push_back(absl::StrCat("  ", activity.name, ": iterations: ", iterations,
                                 calibrated.empty() ? "" : DescribeCalibratedWork(calibrated)));
  }
  return lines;
}

std::vector<std::string> DescribeDrivers(const Plan& plan, const TestResult& result) {
  std::vector<std::string> lines;
  const auto& logs = result.service_logs().instance_logs();
  for (const ServicePlan& service : plan.services) {
    StatisticSums sums;
    for (size_t rank = 0; rank < service.count; ++rank) {
      const auto log = logs.find(plan.instances[InstanceIndex(service.first.value() + rank)].name);
      if (log != logs.end()) sums.Add(log->second);
    }
    if (sums.empty()) continue;
    if (lines.empty()) lines.push_back("Driver statistics:");
    lines.push_back(absl::StrCat("  ", service.name, ":", sums.Describe()));
  }
  return lines;
}

std::vector<std::string> DescribeCpu(const TestFigures& figures, const TestResult& result) {
  std::vector<std::string> lines;
  for (const ProcessCpu& process : CpuUse(result.report(), result.resource_usage_logs())) {
    if (lines.empty()) lines.push_back("CPU summary:");
    lines.push_back(DescribeProcess(figures, process));
  }
  return lines;
}

}  // namespace distbench
