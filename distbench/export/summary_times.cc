#include "distbench/export/summary_times.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/export/result_names.h"
#include "distbench/export/summary_figures.h"
#include "distbench/results/iteration_times.h"
#include "distbench/results/served_times.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

absl::Status WriteServed(const TestResult& test, summary_json::Test& summary) {
  HistogramPageSlab slab;
  std::map<int32_t, ServedTimes> served;
  for (const auto& [instance, log] : test.service_logs().instance_logs()) {
    for (const auto& [rpc, message] : log.served_rpcs()) {
      RETURN_IF_ERROR(MergeServedTimes(message, served.try_emplace(rpc, slab).first->second));
    }
  }
  for (const auto& [rpc, times] : served) {
    if (times.queue_time.totals().count == 0) continue;
    summary_json::ServedRpc& into = *summary.add_served_rpcs();
    into.set_name(RpcName(test, rpc));
    into.set_index(rpc);
    WriteDistribution(times.queue_time, *into.mutable_queue_time_ns());
    WriteDistribution(times.handler_time, *into.mutable_handler_time_ns());
  }
  return absl::OkStatus();
}

absl::Status WriteIterations(const TestResult& test, summary_json::Test& summary) {
  HistogramPageSlab slab;
  std::map<std::pair<std::string, std::string>, IterationTimes> iterations;
  for (const auto& [instance, log] : test.service_logs().instance_logs()) {
    for (const IterationStatistics& message : log.iterations()) {
      const std::pair place(message.action_list(), message.action());
      IterationTimes& times = iterations.try_emplace(place, slab).first->second;
      RETURN_IF_ERROR(MergeIterationTimes(message, times));
    }
  }
  for (const auto& [place, times] : iterations) {
    if (times.service_time.totals().count == 0) continue;
    summary_json::Iterations& into = *summary.add_iterations();
    into.set_action_list(place.first);
    into.set_action(place.second);
    WriteDistribution(times.service_time, *into.mutable_service_time_ns());
    if (times.response_time.totals().count == 0) continue;
    WriteDistribution(times.response_time, *into.mutable_response_time_ns());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteTimes(const TestResult& test, summary_json::Test& summary) {
  RETURN_IF_ERROR(WriteServed(test, summary));
  return WriteIterations(test, summary);
}

}  // namespace distbench
