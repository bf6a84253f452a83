// Recorder: what one engine saw of its RPCs on one shard.
//
// Three layers, from always to as far as there is room: exact counters per RPC, peer, phase and
// outcome; histograms per RPC, phase and outcome, and coarser ones per peer; one sample per RPC, up
// to a limit. Besides, times of iterations that are more than one RPC. Everything merges exactly,
// over the shards of an engine in results/service_log, over nodes in results/merge.
//
// Not thread-safe: only the shard's tasks touch it. Recording allocates only at the first sight of
// something: a server, an outcome of an RPC, an action, a magnitude of their times, an error text;
// and a chunk per some thousand samples.
#ifndef DISTBENCH_RESULTS_RECORDER_H_
#define DISTBENCH_RESULTS_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

class ServicePerformanceLog;
class ReplayRecorder;
class SampleStore;
class ShardLog;
struct Sample;
class TimeSeriesRows;
class TrafficCounts;
enum class Outcome : uint8_t;

// One finished RPC. Times are monotonic.
struct RpcRecord {
  RpcIndex rpc;
  InstanceIndex server;
  ListIndex list;  // that sent it, if is_limited
  bool warmup = false;
  bool open_loop = false;         // then intended_start_ns has a meaning
  bool is_limited = false;        // the list has a max_rpc_samples
  int64_t intended_start_ns = 0;  // when the arrival process wanted it to start
  int64_t start_ns = 0;           // the moment before the driver was asked, to 0.2 us
  int64_t end_ns = 0;             // the moment the driver delivered the end
  int64_t request_bytes = 0;      // whole serialized messages
  int64_t response_bytes = 0;
  int64_t latency_weight_ns = 0;     // since the previous RPC's start in the same slot; 0: none
  uint64_t sample_priority = 0;      // if is_limited: see results/sample_reservoir.h
  const TracePath* trace = nullptr;  // not null: the RPC was traced
};

// One measured iteration that was more than a single RPC. Times are monotonic.
struct IterationRecord {
  ListIndex list;
  ActionIndex action;             // of the list
  bool open_loop = false;         // then intended_start_ns has a meaning
  int64_t intended_start_ns = 0;  // when the arrival process wanted it to start
  int64_t start_ns = 0;           // of its first part
  int64_t end_ns = 0;             // of its last part
};

struct RecorderOptions {
  std::shared_ptr<const Plan> plan;
  InstanceIndex self;  // whose RPCs are recorded
  // Beyond it samples are counted as left out, nothing else changes.
  int64_t max_samples = std::numeric_limits<int64_t>::max();
  SampleStore* sample_store = nullptr;  // outlives the recorder; null: it has its own
};

// In all calls `server` is an instance of the service that answers `rpc`.
class Recorder {
 public:
  explicit Recorder(RecorderOptions options);
  ~Recorder();

  // Tells when the traffic starts (monotonic), from where the rows of the time series count; at
  // most once, and usually before anything is recorded. Without it there is no time series.
  void StartRows(int64_t traffic_start_ns);

  void RecordSuccess(const RpcRecord& record);
  // `error` is not empty.
  void RecordFailure(const RpcRecord& record, absl::string_view error);
  // In flight when traffic was cancelled; neither a success nor a failure.
  void RecordCancelled(RpcIndex rpc, InstanceIndex server);
  // Never ended, not even after having been cancelled.
  void RecordAbandoned(RpcIndex rpc, InstanceIndex server);

  void RecordIteration(const IterationRecord& record);

  // For the RPCs of replay traces.
  ReplayRecorder& replays();

  // Adds what was recorded so far.
  void AddTo(TrafficCounts* counts) const;

  // What the histograms have taken so far. Those per peer stay within 8 MiB and half a KiB for each
  // peer and RPC; the finer ones take 4 KiB for each RPC, outcome and factor of two in its times.
  size_t HistogramBytes() const;

  // Adds the rows of what was recorded so far.
  void AddTo(TimeSeriesRows* rows) const;

  // What was recorded, for the code that makes results of it.
  const ShardLog& log() const { return *log_; }

 private:
  // `error` is a number of the error table, 0 for a success.
  void RecordFinished(const RpcRecord& record, uint16_t error);
  // Of an RPC of a list with a limit, or a traced one. False: the sample is left out, or it is not
  // known yet whether it is kept.
  bool KeepSpecialSample(const RpcRecord& record, const Sample& sample);
  // The RPC, which is not counted yet, ended outside of the open row of the time series.
  void LeaveRow(const RpcRecord& record, Outcome outcome);

  const std::unique_ptr<ShardLog> log_;
};

// What all shards of one engine recorded together, in the public form but without samples, with
// times on the wall clock of `anchor`; the same whatever the order of the shards. Requires: the
// recorders have the same options; nobody records meanwhile.
ServicePerformanceLog BuildServiceStatistics(const std::vector<const Recorder*>& shards,
                                             const WallAnchor& anchor);

// The same with all samples, which take several times the memory that they have in the recorders;
// results/recorded_samples hands them out piece by piece.
ServicePerformanceLog BuildServiceLog(const std::vector<const Recorder*>& shards,
                                      const WallAnchor& anchor);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RECORDER_H_
