// HostedTest: the instances of one test that this node hosts, from ConfigureNode until they are
// cleared.
//
//   Start          engines listen, their handshake ports answer
//   IntroducePeers engines are connected to whom they call; they serve from here on
//   RunTraffic     main lists run; once
//   BuildStatistics, Samples   what was recorded
//   Stop           ends everything; destruction
//
// Methods are called by one thread at a time (the node's work queue); completions come on any
// thread. Starting, BuildStatistics and stopping may block, the others do not.
#ifndef DISTBENCH_NODE_HOSTED_TEST_H_
#define DISTBENCH_NODE_HOSTED_TEST_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/node/resource_budget.h"
#include "distbench/node/thread_watch.h"

namespace distbench {

class EngineHost;
class HostedSamples;
class NodeEnvironment;
class PeerIntroduction;
class ServiceEndpointMap;
class ServiceLogs;
class TimeSeries;
class TrafficCounts;
class TrafficRun;

struct HostedTestOptions {
  NodeEnvironment* environment = nullptr;  // outlives the test
  std::shared_ptr<const Plan> plan;
  std::vector<InstanceIndex> instances;  // to host here
};

struct TrafficStart {
  int64_t start_ns = 0;          // monotonic
  int64_t replay_origin_ns = 0;  // likewise; see Engine::SetReplayOrigin
  WallAnchor anchor;
};

class HostedTest {
 public:
  using Done = std::function<void(absl::Status)>;

  static absl::StatusOr<std::unique_ptr<HostedTest>> Start(const HostedTestOptions& options);
  ~HostedTest();

  // The engines' own endpoints.
  ServiceEndpointMap Endpoints() const;

  // `peers` must have every instance that engines of this node send to.
  void IntroducePeers(const ServiceEndpointMap& peers, absl::Time deadline, Done done);

  // An error, and nothing is called, if IntroducePeers has not succeeded or traffic was run before.
  // `on_overload` is called if an engine or the process meets an overload limit, the latter until
  // the statistics are built; `done` at the end, with OK or with why the traffic ended early.
  absl::Status RunTraffic(const TrafficStart& start, Done on_overload, Done done);

  // Cancels on every engine; the run ends soon after. Before the run: it ends as it begins.
  void CancelTraffic(const absl::Status& reason);

  bool is_running() const;
  bool is_cancelled() const { return is_cancelled_; }
  // The overload that has ended the traffic of an engine, at whatever time; OK: none.
  absl::Status overload() const;
  // Waits for the end of the run. False if it has not ended by then.
  bool WaitUntilEnded(absl::Time deadline);
  // How late the last of the main lists began; none before RunTraffic.
  std::optional<int64_t> start_skew_ns() const;

  // What the engines have sent so far. `done` is called once, on any thread, when each of their
  // shards had a moment to tell.
  void CountTraffic(std::function<void(std::shared_ptr<const TrafficCounts>)> done) const;

  // Logs of the instances that recorded something, without samples. Requires: not is_running(), or
  // stopped.
  ServiceLogs BuildStatistics();

  // The samples of these logs; the test outlives them. Requires: BuildStatistics() was called.
  std::unique_ptr<HostedSamples> Samples() const;

  // How the traffic went, of all instances together. Requires: BuildLogs() was called.
  TimeSeries BuildTimeSeries() const;

  // Cancels what still runs, then stops all engines. Whoever waits for a completion gets
  // CANCELLED with `reason`. Nothing is called back after it returns.
  void Stop(const std::string& reason, absl::Time deadline);

 private:
  HostedTest(const HostedTestOptions& options,
             std::unique_ptr<ResourceBudget::Reservation> reservation);
  absl::Status StartEngines(const HostedTestOptions& options);
  void OnIntroduced();
  absl::Status TooManyThreads(int64_t threads) const;

  NodeEnvironment* const environment_;
  const std::shared_ptr<const Plan> plan_;
  // Outlives the engines that use what it stands for.
  const std::unique_ptr<ResourceBudget::Reservation> reservation_;
  std::vector<std::unique_ptr<EngineHost>> hosts_;
  std::shared_ptr<PeerIntroduction> introduction_;
  std::shared_ptr<TrafficRun> run_;
  std::unique_ptr<ThreadWatch::Watch> thread_watch_;  // while traffic may come
  std::atomic<bool> is_introduced_{false};
  bool is_cancelled_ = false;
  bool is_stopped_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_HOSTED_TEST_H_
