// TestFigures: the figures of a whole test, gathered from the logs of all its instances.
//
// They come from the statistics of a log, which know every RPC; samples count only where a log has
// no statistics (those of other programs). Statistics that contradict themselves count for nothing
// and are listed. Not thread-safe.
#ifndef DISTBENCH_RESULTS_TEST_FIGURES_H_
#define DISTBENCH_RESULTS_TEST_FIGURES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "distbench/config/plan.h"
#include "distbench/results/histogram.h"
#include "distbench/results/iteration_times.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/served_times.h"

namespace distbench {

class ErrorDictionary;
class Histogram;
class ReplayStatistics;
class RpcPerformanceLog;
class RpcStatistics;
class ServiceLogs;
class ServicePerformanceLog;

// Measured successes, but for `finished`.
struct TrafficFigures {
  int64_t rpcs = 0;
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
  int64_t finished = 0;  // all that ended: failures and warmup too
};

class TestFigures {
 public:
  // Position in instances().
  using InstancePosition = size_t;
  using ClientAndServer = std::pair<InstancePosition, InstancePosition>;
  using ListAndAction = std::pair<std::string, std::string>;

  TestFigures(const Plan& plan, const ServiceLogs& logs);
  TestFigures(const TestFigures&) = delete;
  TestFigures& operator=(const TestFigures&) = delete;

  // Names: the plan's, in its order, then those that only logs know, in natural order.
  const std::vector<std::string>& instances() const { return instances_; }
  // Pairs between which any RPC was sent, over all RPCs.
  const std::map<ClientAndServer, TrafficFigures>& traffic() const { return traffic_; }
  // Times in ns of measured successes, by position of the RPC in the config.
  const std::map<int32_t, OutcomeHistograms>& times() const { return times_; }
  // Times in ns of measured requests at their servers, by position of the RPC in the config.
  const std::map<int32_t, ServedTimes>& served() const { return served_; }
  // Times in ns of measured iterations that were more than one RPC.
  const std::map<ListAndAction, IterationTimes>& iterations() const { return iterations_; }
  // Times in ns of measured successes among replayed RPCs, by name of the trace.
  const std::map<std::string, OutcomeHistograms>& replays() const { return replays_; }
  // Everything. Error counts are in errors() instead.
  const RpcTotals& totals() const { return totals_; }
  // The longest time that one instance sent RPCs for, by its own clock: from the first start to the
  // last end of anything. 0 if nothing ended.
  int64_t longest_activity_ns() const { return longest_activity_ns_; }
  // By text, over all instances.
  const std::map<std::string, int64_t>& errors() const { return errors_; }
  // "instance: text" of engines that failed.
  const std::vector<std::string>& engine_errors() const { return engine_errors_; }
  // "instance: field: what is wrong" of what was left out of the figures.
  const std::vector<std::string>& unusable() const { return unusable_; }

 private:
  void NameInstances(const Plan& plan, const ServiceLogs& logs);
  void AddLog(const std::string& instance, const ServicePerformanceLog& log);
  // Adds all that ended to `ended` too.
  void AddPair(const ClientAndServer& pair, const std::string& place, const RpcStatistics& counted,
               const ErrorDictionary& dictionary, OutcomeTotals& ended);
  void AddTotals(const RpcTotals& totals, const ErrorDictionary& dictionary, OutcomeTotals& ended);
  void AddTraffic(const ClientAndServer& pair, const RpcTotals& totals);
  void AddReplays(const std::string& instance, const ServicePerformanceLog& log,
                  OutcomeTotals& ended);
  void AddReplay(const std::string& instance, const std::string& place,
                 const ReplayStatistics& replay, const ErrorDictionary& dictionary,
                 OutcomeTotals& ended);
  void AddTimes(int32_t rpc, const std::string& place, const RpcStatistics& statistics);
  void AddTimes(const std::string& place, const RpcStatistics& statistics,
                OutcomeHistograms& times);
  void AddServedAndIterations(const std::string& instance, const ServicePerformanceLog& log);
  void AddHistogram(const std::string& place, const Histogram& message, LogLinearHistogram& to);

  HistogramPageSlab slab_;
  std::vector<std::string> instances_;
  absl::flat_hash_map<std::string, InstancePosition> positions_;
  std::map<ClientAndServer, TrafficFigures> traffic_;
  std::map<int32_t, OutcomeHistograms> times_;
  std::map<int32_t, ServedTimes> served_;
  std::map<ListAndAction, IterationTimes> iterations_;
  std::map<std::string, OutcomeHistograms> replays_;
  RpcTotals totals_;
  int64_t longest_activity_ns_ = 0;
  std::map<std::string, int64_t> errors_;
  std::vector<std::string> engine_errors_;
  std::vector<std::string> unusable_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TEST_FIGURES_H_
