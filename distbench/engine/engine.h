// Engine: runs the compiled plan for one service instance, over one protocol driver.
//
// Life of an engine, in this order:
//
//   construction
//   StartServer()       listens; requests that arrive now wait
//   driver().Connect()  by the host, for each instance that RPCs may go to, and each channel
//   BeginServing()      requests are served from here on
//   RunTraffic()        the main list runs from the agreed start; ends by itself or is cancelled
//   BuildStatistics(), Samples()   what was recorded
//   Stop()              answers what is unanswered, stops the driver
//   destruction
//
// An instance without a main list ends its RunTraffic at once and goes on serving.
//
// Threads: all methods are thread-safe. Within, everything that a request or an iteration touches
// belongs to one of the engine's shards (engine/engine_shard.h) and is touched by that shard's
// tasks only; no thread waits for an RPC.
#ifndef DISTBENCH_ENGINE_ENGINE_H_
#define DISTBENCH_ENGINE_ENGINE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/base/timer.h"
#include "distbench/config/plan.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class Pacers;
class RecordedSamples;
class SampleStore;
class ServicePerformanceLog;
class ShardThreads;
class TimeSeriesRows;
class TrafficCounts;
class Workers;

struct EngineOptions {
  std::shared_ptr<const Plan> plan;
  InstanceIndex self;
  std::unique_ptr<ProtocolDriver> driver;
  const Clock* clock = nullptr;  // outlives the engine, as do the next four
  TimerService* timers = nullptr;
  Pacers* pacers = nullptr;             // null: `timers` start open loops, however they are paced
  ShardThreads* shards = nullptr;       // the process's event loops; how many shards there are
  Workers* workers = nullptr;           // null: CPU work is done by whoever comes to it
  CalibratedWorkKinds calibrated_work;  // has the kinds of the plan's
  uint64_t seed = 0;                    // the test's
  SampleStore* sample_store = nullptr;  // outlives the engine; null: each shard has its own
  // Of each shard: samples that are kept. All others are counted.
  int64_t max_samples = std::numeric_limits<int64_t>::max();
};

class Engine {
 public:
  explicit Engine(EngineOptions options);
  // Requires: Stop() was called, unless StartServer() never was.
  ~Engine();

  absl::Status StartServer();
  ProtocolDriver& driver();
  // Tells that `peer` understands GenericRequestResponse.causal_key. Requires: RunTraffic and
  // BeginServing were not called.
  void SetKnowsCausalKeys(InstanceIndex peer);
  // The same of all members of a channel.
  void SetKnowsCausalKeys(ChannelIndex channel);

  void BeginServing();

  // Runs the main list from `start_ns` (monotonic, may have passed) on. `done` is called once, on
  // any thread, when the main list has ended and all RPCs that this engine sent have, and peers
  // have served the one-way ones, with OK or with the reason of the cancellation, which does not
  // wait for peers. Times in the log are dated by `anchor`. Requires: BeginServing(); not called
  // before.
  void RunTraffic(int64_t start_ns, const WallAnchor& anchor,
                  std::function<void(absl::Status)> done);

  // From when replay traces count that are relative to the traffic's start (monotonic), if not from
  // RunTraffic's start. Requires: RunTraffic was not called.
  void SetReplayOrigin(int64_t origin_ns);

  // How much later than agreed the main list began. 0 before it did.
  int64_t start_skew_ns() const;

  // Traffic may also end by an action with cancel_traffic_when_done: main lists stop at once, and
  // RunTraffic with OK; a second later it is as if CancelTraffic had been called.

  // Ends the traffic: no iteration starts any more, calls in flight are cancelled and counted
  // apart, requests are answered with "Traffic cancelled: REASON". Only the first call counts.
  // Returns at once; the RunTraffic that runs ends soon after.
  void CancelTraffic(const absl::Status& reason);

  // OK unless that has happened. An engine whose RunTraffic has ended serves on, and may be
  // cancelled by an overload that nobody else hears of.
  absl::Status cancel_reason() const;

  // RPCs that this engine has sent and that have not ended.
  int64_t pending_rpcs() const;

  // Adds to `counts` what was recorded so far and what is outstanding, shard by shard, each when it
  // has a moment; lets go of `counts` when it is done. Any thread; returns at once.
  void CountTraffic(const std::shared_ptr<TrafficCounts>& counts);

  // What was recorded, but for samples. List runs that go on after their answer may do so until
  // `tail_deadline`; what ends later is not recorded. Requires: RunTraffic has ended or was not
  // called.
  ServicePerformanceLog BuildStatistics(absl::Time tail_deadline);

  // The samples of it. The engine outlives the result. Requires: BuildStatistics() was called.
  std::unique_ptr<RecordedSamples> Samples() const;

  // Adds when it was recorded. Requires: BuildStatistics() was called.
  void AddTimeSeries(TimeSeriesRows* rows) const;

  // Cancels what still runs, answers what is unanswered and stops the driver, all by `deadline`.
  // Returns how many calls had to be abandoned.
  int64_t Stop(absl::Time deadline);

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ENGINE_H_
