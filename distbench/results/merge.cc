#include "distbench/results/merge.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/iteration_times.h"
#include "distbench/results/natural_order.h"
#include "distbench/results/replay_statistics.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/sample_statistics.h"
#include "distbench/results/served_times.h"
#include "distbench/results/time_series_proto.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Where in a log an error lies.
absl::Status At(const std::string& place, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(place, ": ", status.message()));
}

// One log on its way to having statistics everywhere.
class StatisticsCompleter {
 public:
  explicit StatisticsCompleter(ServicePerformanceLog& log) : log_(log) {}

  absl::Status Run() {
    RETURN_IF_ERROR(CheckTimes());
    RETURN_IF_ERROR(CompleteReplays());
    for (auto& [rpc, statistics] : log_.rpc_statistics()) {
      const std::string place = absl::StrCat("rpc_statistics[", rpc, "]");
      RpcTotals unused;
      RETURN_IF_ERROR(At(place, ReadTotals(statistics, unused)));
      RETURN_IF_ERROR(At(place, CheckHistograms(statistics)));
    }
    for (auto& [peer, peer_log] : *log_.mutable_peer_logs()) {
      for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
        RETURN_IF_ERROR(At(
            absl::StrCat("peer_logs[", peer, "].rpc_logs[", rpc, "]"),
            rpc_log.has_statistics() ? Check(rpc, rpc_log.statistics()) : Compute(rpc, rpc_log)));
      }
    }
    for (const auto& [rpc, computed] : computed_) {
      RpcStatistics& statistics = (*log_.mutable_rpc_statistics())[rpc];
      WriteTotals(computed.totals, WallAnchor(), statistics);
      WriteHistograms(computed.histograms, statistics);
    }
    return absl::OkStatus();
  }

 private:
  struct Computed {
    RpcTotals totals;
    RpcHistograms histograms;
  };

  // Those besides the RPCs that the instance sent.
  absl::Status CheckTimes() const {
    for (const auto& [rpc, statistics] : log_.served_rpcs()) {
      RETURN_IF_ERROR(At(absl::StrCat("served_rpcs[", rpc, "]"), CheckServedTimes(statistics)));
    }
    for (int i = 0; i < log_.iterations_size(); ++i) {
      RETURN_IF_ERROR(
          At(absl::StrCat("iterations[", i, "]"), CheckIterationTimes(log_.iterations(i))));
    }
    return absl::OkStatus();
  }

  absl::Status CompleteReplays() {
    for (int i = 0; i < log_.replays_size(); ++i) {
      RETURN_IF_ERROR(At(absl::StrCat("replays[", i, "]"), CheckReplay(log_.replays(i))));
    }
    for (ReplayStatistics& replay : ReplaysKnownBySamples(log_)) {
      log_.add_replays()->Swap(&replay);
    }
    return absl::OkStatus();
  }

  absl::Status Check(int32_t rpc, const RpcStatistics& statistics) {
    if (!log_.rpc_statistics().contains(rpc)) {
      return absl::InvalidArgumentError(absl::StrCat("statistics is present, but rpc_statistics[",
                                                     rpc, "] is not; a log has both or neither"));
    }
    RpcTotals unused;
    RETURN_IF_ERROR(At("statistics", ReadTotals(statistics, unused)));
    return At("statistics", CheckPeerHistogram(statistics));
  }

  absl::Status Compute(int32_t rpc, RpcPerformanceLog& rpc_log) {
    if (log_.rpc_statistics().contains(rpc)) {
      return absl::InvalidArgumentError(absl::StrCat("statistics is missing, but rpc_statistics[",
                                                     rpc,
                                                     "] is present; a log has both or neither"));
    }
    Computed& computed = computed_[rpc];
    RpcTotals totals;
    AddSamples(rpc_log, slab_, totals, computed.histograms);
    WriteTotals(totals, WallAnchor(), *rpc_log.mutable_statistics());
    PeerHistogramPool pool(std::numeric_limits<size_t>::max());
    PeerHistogram service_time(pool);
    AddServiceTimes(rpc_log, service_time);
    WritePeerHistogram(service_time, *rpc_log.mutable_statistics());
    computed.totals.MergeCounters(totals);
    for (const auto& [index, count] : totals.error_counts) {
      AddSaturating(count, computed.totals.error_counts[index]);
    }
    return absl::OkStatus();
  }

  ServicePerformanceLog& log_;
  HistogramPageSlab slab_;
  std::map<int32_t, Computed> computed_;
};

absl::Status CheckAllNew(const GetTrafficResultResponse& node, const TestResult& result) {
  for (const auto& [instance, log] : node.service_logs().instance_logs()) {
    if (!result.service_logs().instance_logs().contains(instance)) continue;
    return absl::AlreadyExistsError(absl::StrCat("service_logs.instance_logs[", instance,
                                                 "] was already reported by another node"));
  }
  for (const auto& [alias, usage] : node.node_usages()) {
    if (!result.resource_usage_logs().node_usages().contains(alias)) continue;
    return absl::AlreadyExistsError(
        absl::StrCat("node_usages[", alias, "] was already reported by another node"));
  }
  return absl::OkStatus();
}

// Keeps the reports in the order of their nodes.
void InsertReport(NodeReport&& report, TestReport& into) {
  *into.add_nodes() = std::move(report);
  for (int i = into.nodes_size() - 1; i > 0; --i) {
    if (!NaturalLess(into.nodes(i).node_alias(), into.nodes(i - 1).node_alias())) break;
    into.mutable_nodes()->SwapElements(i, i - 1);
  }
}

}  // namespace

absl::Status CompleteStatistics(ServicePerformanceLog& log) {
  return StatisticsCompleter(log).Run();
}

absl::Status MergeNodeResult(GetTrafficResultResponse&& node, TestResult& result) {
  RETURN_IF_ERROR(CheckAllNew(node, result));
  for (auto& [instance, log] : *node.mutable_service_logs()->mutable_instance_logs()) {
    RETURN_IF_ERROR(
        At(absl::StrCat("service_logs.instance_logs[", instance, "]"), CompleteStatistics(log)));
  }
  if (node.has_time_series()) {
    absl::StatusOr<TimeSeries> sum = SumOfTimeSeries(result.time_series(), node.time_series());
    if (!sum.ok()) return At("time_series", sum.status());
    *result.mutable_time_series() = *std::move(sum);
  }
  auto& logs = *result.mutable_service_logs()->mutable_instance_logs();
  for (auto& [instance, log] : *node.mutable_service_logs()->mutable_instance_logs()) {
    logs[instance] = std::move(log);
  }
  auto& usages = *result.mutable_resource_usage_logs()->mutable_node_usages();
  for (auto& [alias, usage] : *node.mutable_node_usages()) usages[alias] = std::move(usage);
  if (node.has_report()) {
    InsertReport(std::move(*node.mutable_report()), *result.mutable_report());
  }
  return absl::OkStatus();
}

}  // namespace distbench
