#include "distbench/sequencer/answer.h"

#include <cstdint>
#include <map>
#include <utility>

#include "protos/distbench.pb.h"

namespace distbench {
namespace {

void CountLeftOut(int64_t samples, RpcStatistics& statistics) {
  if (samples > 0) statistics.set_samples_left_out(statistics.samples_left_out() + samples);
}

void DropSamplesOf(ServicePerformanceLog& log) {
  std::map<int32_t, int64_t> dropped;  // by RPC
  for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
    for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
      const int64_t samples =
          int64_t{rpc_log.successful_rpc_samples_size()} + rpc_log.failed_rpc_samples_size();
      rpc_log.clear_successful_rpc_samples();
      rpc_log.clear_failed_rpc_samples();
      if (rpc_log.has_statistics()) CountLeftOut(samples, *rpc_log.mutable_statistics());
      dropped[rpc] += samples;
    }
  }
  for (auto& [rpc, statistics] : *log.mutable_rpc_statistics()) {
    CountLeftOut(dropped[rpc], statistics);
  }
  log.clear_replay_trace_logs();
}

}  // namespace

void DropSamples(ServiceLogs& logs) {
  for (auto& [instance, log] : *logs.mutable_instance_logs()) DropSamplesOf(log);
}

void AddTestResult(TestResult result, const AnswerOptions& options, TestSequenceResults& answer) {
  // Tag and length of the result within the answer.
  constexpr size_t kFrameBytes = 16;
  const size_t used_bytes = answer.ByteSizeLong() + kFrameBytes;
  const auto too_large = [&] { return used_bytes + result.ByteSizeLong() > options.max_bytes; };

  if (!options.keep_samples) DropSamples(*result.mutable_service_logs());
  if (too_large() && options.keep_samples) {
    DropSamples(*result.mutable_service_logs());
    result.add_log_summary(
        "RPC samples were left out: with them the answer would exceed 2 GiB; set max_rpc_samples "
        "in the action lists, or run the tests one by one");
  }
  if (too_large()) {
    result.clear_service_logs();
    result.add_log_summary(
        "Service logs were left out: with them the answer would exceed 2 GiB; run the tests one "
        "by one");
  }
  *answer.add_test_results() = std::move(result);
}

}  // namespace distbench
