#include "distbench/export/logged_samples.h"

#include <algorithm>
#include <limits>

#include "absl/numeric/int128.h"
#include "distbench/export/result_names.h"
#include "distbench/export/sorted_keys.h"
#include "distbench/results/rpc_totals.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Samples come from a file: a sum of two of their times need not fit.
int64_t SaturatingSum(int64_t a, int64_t b) {
  using Limits = std::numeric_limits<int64_t>;
  const absl::int128 sum = absl::int128(a) + b;
  return static_cast<int64_t>(std::clamp<absl::int128>(sum, Limits::min(), Limits::max()));
}

// Visits the samples of one client.
class ClientSamples {
 public:
  ClientSamples(const TestResult& test, const std::string& client,
                absl::FunctionRef<void(const LoggedSample&)> visit)
      : test_(test),
        client_(client),
        log_(test.service_logs().instance_logs().at(client)),
        visit_(visit) {}

  void Visit() const {
    for (const std::string& server : SortedKeys(log_.peer_logs())) {
      const auto& rpc_logs = log_.peer_logs().at(server).rpc_logs();
      for (const int32_t rpc : SortedKeys(rpc_logs)) {
        VisitRpc(server, RpcName(test_, rpc), rpc_logs.at(rpc));
      }
    }
    for (const RpcReplayTraceLog& trace : log_.replay_trace_logs()) VisitReplay(trace);
  }

 private:
  void VisitRpc(const std::string& server, const std::string& rpc,
                const RpcPerformanceLog& log) const {
    for (const RpcSample& sample : log.successful_rpc_samples()) {
      visit_({.client = client_,
              .server = server,
              .rpc = rpc,
              .sample = sample,
              .start_timestamp_ns = sample.start_timestamp_ns()});
    }
    for (const RpcSample& sample : log.failed_rpc_samples()) {
      visit_({.client = client_,
              .server = server,
              .rpc = rpc,
              .sample = sample,
              .start_timestamp_ns = sample.start_timestamp_ns(),
              .failed = true,
              .error = ErrorText(log_.error_dictionary(), sample.error_index())});
    }
  }

  void VisitReplay(const RpcReplayTraceLog& trace) const {
    const std::string no_server;
    for (const int32_t record : SortedKeys(trace.rpc_samples())) {
      const RpcSample& sample = trace.rpc_samples().at(record);
      const bool failed = sample.error_index() != 0;
      visit_({.client = client_,
              .server = no_server,
              .rpc = trace.rpc_replay_trace_name(),
              .sample = sample,
              .start_timestamp_ns =
                  SaturatingSum(trace.timestamp_offset_ns(), sample.start_timestamp_ns()),
              .failed = failed,
              .error = failed ? ErrorText(log_.error_dictionary(), sample.error_index()) : "",
              .replay_record = record});
    }
  }

  const TestResult& test_;
  const std::string& client_;
  const ServicePerformanceLog& log_;
  absl::FunctionRef<void(const LoggedSample&)> visit_;
};

}  // namespace

void ForEachSample(const TestResult& test, absl::FunctionRef<void(const LoggedSample&)> visit) {
  for (const std::string& client : SortedKeys(test.service_logs().instance_logs())) {
    ClientSamples(test, client, visit).Visit();
  }
}

int64_t CountSamplesLeftOut(const TestSequenceResults& results) {
  int64_t count = 0;
  for (const TestResult& test : results.test_results()) {
    for (const auto& [instance, log] : test.service_logs().instance_logs()) {
      for (const auto& [rpc, statistics] : log.rpc_statistics()) {
        AddSaturating(std::max<int64_t>(statistics.samples_left_out(), 0), count);
      }
    }
  }
  return count;
}

}  // namespace distbench
