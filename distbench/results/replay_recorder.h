// ReplayRecorder: what one engine saw, on one shard, of the RPCs that it sent because of traces.
//
// Every RPC is counted, per trace and server, and its times are in histograms per trace. Besides,
// runs of a trace have samples, as far as there is room:
//
//   BeginRun --first of all, or room for all its RPCs--> a log, which gets a sample for each RPC
//            '--else--> counted only
//
// So memory is bounded, by kMaxSamples and the longest trace, and what there is tells of whole
// runs: of the first ones. Not thread-safe.
#ifndef DISTBENCH_RESULTS_REPLAY_RECORDER_H_
#define DISTBENCH_RESULTS_REPLAY_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "distbench/base/indices.h"
#include "distbench/base/strong_index.h"
#include "distbench/results/error_table.h"
#include "distbench/results/histogram.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

// Times are monotonic.
struct ReplayRunStart {
  TraceIndex trace;
  size_t rpcs = 0;  // that the run is to send
  int64_t start_ns = 0;
  bool warmup = false;
  const TracePath* cause = nullptr;  // of the run; null: not traced
};

// The end of one RPC of a run. Times are monotonic.
struct ReplayedRpc {
  TraceIndex trace;
  uint32_t record = 0;  // position in the trace
  InstanceIndex server;
  std::optional<int32_t> server_instance = {};  // rank of the server, if a channel has picked it
  bool warmup = false;
  int64_t intended_start_ns = 0;  // when the trace wants it to start
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t request_bytes = 0;  // whole serialized messages
  int64_t response_bytes = 0;
};

struct ReplaySample {
  uint32_t record = 0;
  uint32_t error = 0;                           // in the recorder's ErrorTable; 0: success
  std::optional<int32_t> server_instance = {};  // as in ReplayedRpc
  int64_t start_ns = 0;                         // since the run's start
  int64_t latency_ns = 0;
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
};

struct ReplayRunLog {
  TraceIndex trace;
  int64_t start_ns = 0;  // monotonic
  bool warmup = false;
  std::unique_ptr<const TracePath> cause;  // null: not traced
  std::vector<ReplaySample> samples;       // in the order in which the RPCs ended
};

class ReplayRecorder {
 public:
  static constexpr size_t kMaxSamples = size_t{1} << 18;

  // Of one trace.
  struct Runs {
    int64_t begun = 0;
    int64_t left_out = 0;  // of those, without a log
    RpcHistograms histograms;
  };
  using TotalsByPeer = std::map<std::pair<TraceIndex, InstanceIndex>, RpcTotals>;

  // `traces`: of the plan. The others outlive the recorder.
  ReplayRecorder(size_t traces, ErrorTable* errors, HistogramPageSlab* slab)
      : errors_(*errors), slab_(*slab), runs_(traces) {}

  // Null: the run has no log. Otherwise it lives as long as the recorder.
  ReplayRunLog* BeginRun(const ReplayRunStart& start);

  // `log` is that of the RPC's run.
  void RecordSuccess(const ReplayedRpc& rpc, ReplayRunLog* log) { RecordFinished(rpc, 0, log); }
  // `error` is not empty.
  void RecordFailure(const ReplayedRpc& rpc, absl::string_view error, ReplayRunLog* log) {
    RecordFinished(rpc, errors_.Number(error), log);
  }
  void RecordCancelled(TraceIndex trace, InstanceIndex server);
  void RecordAbandoned(TraceIndex trace, InstanceIndex server);

  const IndexedVector<TraceIndex, Runs>& runs() const { return runs_; }
  // Error counts are by number in the ErrorTable.
  const TotalsByPeer& totals() const { return totals_; }
  const std::deque<ReplayRunLog>& logs() const { return logs_; }

 private:
  void RecordFinished(const ReplayedRpc& rpc, uint16_t error, ReplayRunLog* log);

  ErrorTable& errors_;
  HistogramPageSlab& slab_;
  IndexedVector<TraceIndex, Runs> runs_;
  TotalsByPeer totals_;
  std::deque<ReplayRunLog> logs_;  // addresses are stable
  size_t samples_expected_ = 0;    // of all logs, and one for each log
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_REPLAY_RECORDER_H_
