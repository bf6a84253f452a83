#include "distbench/engine/engine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/base/member_timer.h"
#include "distbench/engine/activity_writer.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/one_way_writer.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/posted_function.h"
#include "distbench/engine/request_queue.h"
#include "distbench/engine/request_server.h"
#include "distbench/engine/rpc_turns.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/results/recorded_samples.h"
#include "distbench/results/recorder.h"
#include "distbench/results/served_recorder.h"
#include "distbench/results/time_series.h"
#include "distbench/results/traffic_counts.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Between the end of an engine's own traffic, where an action is to end it, and that of what it
// does for its peers.
constexpr int64_t kGraceNs = 1'000'000'000;

}  // namespace

class Engine::Core final : public TrafficControl {
 public:
  explicit Core(EngineOptions options);
  ~Core() { BringToRest(); }

  absl::Status StartServer() { return driver_->StartServer(&server_); }
  ProtocolDriver& driver() { return *driver_; }
  void SetKnowsCausalKeys(InstanceIndex peer);
  void SetKnowsCausalKeys(ChannelIndex channel);
  void BeginServing() { server_.BeginServing(); }
  void RunTraffic(int64_t start_ns, const WallAnchor& anchor,
                  std::function<void(absl::Status)> done);
  void SetReplayOrigin(int64_t origin_ns) { context_.replay_origin_ns.store(origin_ns); }
  int64_t start_skew_ns() const { return start_skew_ns_.load(std::memory_order_relaxed); }
  int64_t pending_rpcs() const;
  void CountTraffic(const std::shared_ptr<TrafficCounts>& counts);
  ServicePerformanceLog BuildStatistics(absl::Time tail_deadline);
  std::unique_ptr<RecordedSamples> Samples() const;
  void AddTimeSeries(TimeSeriesRows* rows) const;
  int64_t Stop(absl::Time deadline);

  void OnMainListDone() override;
  void CancelTraffic(const absl::Status& reason) override;
  void EndTraffic(const absl::Status& reason) override;
  void CheckPendingRpcs() override;
  absl::Status cancel_reason() const;
  std::string CancellationText() const override;

 private:
  void InitContext(size_t shard_count);
  bool SendsOneWay() const;
  void TakePacers(size_t shard_count);
  EngineShard& home_shard() { return *shards_[context_.self.value() % shards_.size()]; }
  void StartRows();
  void PostStart() { home_shard().executor().PostToRelief(&start_task_); }
  void StartMainList();
  void DisarmStart();
  void EndStart();
  void EndTrafficRun();
  void OnGraceOver();
  void DisarmGrace();
  bool RunTaskOnEveryShard(const std::function<bool(EngineShard&)>& task);
  void BringToRest();
  int64_t NowNs() const { return options_.clock->MonotonicNs(); }
  bool WaitUntilIdle(absl::Time deadline);
  void TakeRecorders();
  std::vector<const Recorder*> recorders() const;

  EngineOptions options_;
  std::unique_ptr<ProtocolDriver> driver_;
  EngineContext context_;
  std::unique_ptr<RequestQueues> request_queues_;
  bool sends_one_way_ = false;
  std::atomic<bool> is_draining_{false};  // the main list has ended, its one-way RPCs perhaps not
  MemberTimer<Core, &Core::PostStart> start_timer_{this};
  MemberTimer<Core, &Core::OnGraceOver> grace_timer_{this};  // armed by EndTraffic
  MemberTask<Core, &Core::StartMainList> start_task_{this};
  int64_t start_ns_ = 0;
  std::atomic<int64_t> start_skew_ns_{0};
  std::vector<std::unique_ptr<Recorder>> recorders_;  // taken from the shards by BuildStatistics

  mutable absl::Mutex mutex_;
  std::function<void(absl::Status)> done_ ABSL_GUARDED_BY(mutex_);
  absl::Status cancel_reason_ ABSL_GUARDED_BY(mutex_);
  bool start_pending_ ABSL_GUARDED_BY(mutex_) = false;  // the start timer is armed or fires
  bool grace_pending_ ABSL_GUARDED_BY(mutex_) = false;  // so is that of the grace
  absl::Status end_reason_ ABSL_GUARDED_BY(mutex_);     // of EndTraffic

  // Last: their executors are waited for before anything that tasks touch goes away.
  std::vector<std::unique_ptr<EngineShard>> shards_;
  RequestServer server_;
};

Engine::Core::Core(EngineOptions options)
    : options_(std::move(options)),
      driver_(std::move(options_.driver)),
      context_{.plan = options_.plan, .self = options_.self, .clock = options_.clock},
      server_(&context_, &shards_) {
  const size_t shard_count = options_.shards == nullptr ? 1 : options_.shards->shard_count();
  InitContext(shard_count);
  for (size_t i = 0; i < shard_count; ++i) {
    const ShardIndex shard(i);
    shards_.push_back(std::make_unique<EngineShard>(
        &context_, shard, options_.shards == nullptr ? nullptr : options_.shards->relief(shard),
        std::make_unique<Recorder>(RecorderOptions{.plan = options_.plan,
                                                   .self = options_.self,
                                                   .max_samples = options_.max_samples,
                                                   .sample_store = options_.sample_store})));
  }
}

void Engine::Core::InitContext(size_t shard_count) {
  const Plan& plan = *options_.plan;
  TakePacers(shard_count);
  context_.workers = options_.workers;
  context_.timers = options_.timers;
  context_.driver = driver_.get();
  context_.control = this;
  context_.seed = options_.seed;
  context_.wall_offset_ns.store(AnchorWallClock(*options_.clock).ToWallNs(0));
  context_.pending_rpcs_per_shard = plan.max_pending_rpcs / static_cast<int64_t>(shard_count);
  context_.targets.resize(plan.rpcs.size());
  context_.knows_causal_keys.resize(plan.instances.size());
  context_.channel_knows_causal_keys.resize(plan.channels.size());
  const ServiceIndex own_service = plan.instances[options_.self].service;
  for (size_t i = 0; i < plan.rpcs.size(); ++i) {
    const std::vector<ServiceIndex>& clients = plan.rpcs[RpcIndex(i)].clients;
    if (std::find(clients.begin(), clients.end(), own_service) == clients.end()) continue;
    context_.targets[RpcIndex(i)].emplace(plan, RpcIndex(i), options_.self);
  }
  context_.ready = std::make_unique<const ReadyMessages>(plan, options_.self);
  context_.PlanReplays();
  context_.rpc_turns = std::vector<std::atomic<uint64_t>>(plan.rpcs.size());
  context_.list_runs = std::vector<std::atomic<uint64_t>>(plan.lists.size());
  context_.activity_iterations = std::vector<std::atomic<int64_t>>(plan.activities.size());
  context_.cpu_jobs = std::make_unique<CpuJobPool>(plan, options_.calibrated_work, *options_.clock);
  request_queues_ = std::make_unique<RequestQueues>(&context_);
  context_.request_queues = request_queues_.get();
  sends_one_way_ = SendsOneWay();
  context_.iteration_is_turn = FindTurns(plan, options_.self);
}

bool Engine::Core::SendsOneWay() const {
  const Plan& plan = *options_.plan;
  for (size_t i = 0; i < plan.rpcs.size(); ++i) {
    if (plan.rpcs[RpcIndex(i)].one_way && context_.targets[RpcIndex(i)].has_value()) return true;
  }
  return false;
}

// Before traffic, since a pacer's thread is made when it is first asked for.
void Engine::Core::TakePacers(size_t shard_count) {
  for (Pacing pacing : context_.service().pacings) {
    std::vector<TimerService*>& pacers = context_.pacers[static_cast<size_t>(pacing)];
    for (size_t i = 0; i < shard_count; ++i) {
      pacers.push_back(options_.pacers == nullptr ? options_.timers
                                                  : options_.pacers->For(pacing, ShardIndex(i)));
    }
  }
}

void Engine::Core::SetKnowsCausalKeys(InstanceIndex peer) {
  absl::MutexLock lock(&mutex_);
  context_.knows_causal_keys[peer] = true;
}

void Engine::Core::SetKnowsCausalKeys(ChannelIndex channel) {
  absl::MutexLock lock(&mutex_);
  context_.channel_knows_causal_keys[channel] = true;
}

// --- Main list

void Engine::Core::RunTraffic(int64_t start_ns, const WallAnchor& anchor,
                              std::function<void(absl::Status)> done) {
  {
    absl::MutexLock lock(&mutex_);
    done_ = std::move(done);
    start_pending_ = context_.service().main_list.has_value();
  }
  start_ns_ = start_ns;
  if (!context_.ReplayOriginNs()) SetReplayOrigin(start_ns);
  context_.wall_offset_ns.store(anchor.wall_ns - anchor.monotonic_ns);
  StartRows();
  if (!context_.service().main_list) return OnMainListDone();
  options_.timers->Arm(&start_timer_, start_ns);
  if (context_.is_cancelled()) DisarmStart();
}

void Engine::Core::StartRows() {
  for (const auto& shard : shards_) {
    PostFunction(shard.get(), [shard = shard.get(), start_ns = start_ns_] {
      if (shard->recorder() != nullptr) shard->recorder()->StartRows(start_ns);
    });
  }
}

void Engine::Core::DisarmStart() {
  if (!options_.timers->Disarm(&start_timer_)) return;
  EndStart();
  OnMainListDone();
}

void Engine::Core::EndStart() {
  absl::MutexLock lock(&mutex_);
  start_pending_ = false;
}

void Engine::Core::StartMainList() {
  start_skew_ns_.store(options_.clock->MonotonicNs() - start_ns_, std::memory_order_relaxed);
  home_shard().TakeRun(*context_.service().main_list)->StartMain(&shards_, start_ns_);
  EndStart();
}

// What was sent one-way shall be served before anybody asks what was: an RPC that has ended may be
// on its way still.
void Engine::Core::OnMainListDone() {
  if (!sends_one_way_) return EndTrafficRun();
  is_draining_.store(true);
  driver_->DrainOneWay([this] { EndTrafficRun(); });
  // Whoever cancels does not wait for peers.
  if (context_.is_cancelled()) EndTrafficRun();
}

// Does nothing the second time.
void Engine::Core::EndTrafficRun() {
  std::function<void(absl::Status)> done;
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    done = std::exchange(done_, nullptr);
    status = cancel_reason_;
  }
  if (done != nullptr) done(status);
}

// --- Cancellation

void Engine::Core::CancelTraffic(const absl::Status& reason) {
  {
    absl::MutexLock lock(&mutex_);
    if (context_.is_cancelled()) return;
    cancel_reason_ = reason.ok() ? absl::CancelledError("no reason given") : reason;
    context_.stop_level.store(kEverythingStops);
  }
  DisarmStart();
  DisarmGrace();
  for (auto& shard : shards_) shard->PostStop(kEverythingStops);
  request_queues_->StartAll();
  if (is_draining_.load()) EndTrafficRun();
}

void Engine::Core::EndTraffic(const absl::Status& reason) {
  {
    absl::MutexLock lock(&mutex_);
    if (context_.stops(kMainListsStop)) return;
    end_reason_ = reason;
    grace_pending_ = true;
    context_.stop_level.store(kMainListsStop);
  }
  for (auto& shard : shards_) shard->PostStop(kMainListsStop);
  options_.timers->Arm(&grace_timer_, NowNs() + kGraceNs);
  if (context_.is_cancelled()) DisarmGrace();
}

void Engine::Core::OnGraceOver() {
  absl::Status reason;
  {
    absl::MutexLock lock(&mutex_);
    reason = end_reason_;
  }
  CancelTraffic(reason);
  absl::MutexLock lock(&mutex_);
  grace_pending_ = false;
}

void Engine::Core::DisarmGrace() {
  if (!options_.timers->Disarm(&grace_timer_)) return;
  absl::MutexLock lock(&mutex_);
  grace_pending_ = false;
}

absl::Status Engine::Core::cancel_reason() const {
  absl::MutexLock lock(&mutex_);
  return cancel_reason_;
}

std::string Engine::Core::CancellationText() const {
  absl::MutexLock lock(&mutex_);
  return absl::StrCat("Traffic cancelled: ", cancel_reason_.ToString());
}

int64_t Engine::Core::pending_rpcs() const {
  int64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->pending_rpcs();
  return sum;
}

void Engine::Core::CountTraffic(const std::shared_ptr<TrafficCounts>& counts) {
  for (const auto& shard : shards_) {
    PostFunction(shard.get(), [shard = shard.get(), counts] {
      counts->AddOutstanding(shard->pending_rpcs());
      if (shard->recorder() != nullptr) shard->recorder()->AddTo(counts.get());
    });
  }
}

void Engine::Core::CheckPendingRpcs() {
  const int64_t pending = pending_rpcs();
  const int64_t limit = context_.plan->max_pending_rpcs;
  if (pending <= limit || context_.is_cancelled()) return;
  CancelTraffic(absl::ResourceExhaustedError(
      absl::StrCat(context_.plan->instances[context_.self].name, " has ", pending,
                   " outstanding RPCs, above overload_limits.max_pending_rpcs: ", limit)));
}

// --- The end

bool Engine::Core::WaitUntilIdle(absl::Time deadline) {
  struct Progress {
    explicit Progress(size_t shards) : busy(shards) {}
    absl::Mutex mutex;
    size_t busy ABSL_GUARDED_BY(mutex);
  };
  // Shared, since a shard may become idle only after the wait was given up.
  auto progress = std::make_shared<Progress>(shards_.size());
  for (auto& shard : shards_) {
    PostFunction(shard.get(), [shard = shard.get(), progress] {
      shard->NotifyWhenIdle([progress] {
        absl::MutexLock lock(&progress->mutex);
        --progress->busy;
      });
    });
  }
  absl::MutexLock lock(&progress->mutex);
  return progress->mutex.AwaitWithDeadline(
      absl::Condition(
          +[](size_t* busy) { return *busy == 0; }, &progress->busy),
      deadline);
}

// Runs `task` as a task of each shard, after all those that were posted before, and returns whether
// it returned true anywhere.
bool Engine::Core::RunTaskOnEveryShard(const std::function<bool(EngineShard&)>& task) {
  std::atomic<bool> any{false};
  absl::BlockingCounter left(static_cast<int>(shards_.size()));
  for (auto& shard : shards_) {
    PostFunction(shard.get(), [&task, &any, &left, shard = shard.get()] {
      if (task(*shard)) any.store(true);
      left.DecrementCount();
    });
  }
  left.Wait();
  return any.load();
}

void Engine::Core::TakeRecorders() {
  if (!recorders_.empty()) return;
  recorders_.resize(shards_.size());
  RunTaskOnEveryShard([this](EngineShard& shard) {
    recorders_[shard.index().value()] = shard.TakeRecorder();
    return false;
  });
  for (auto& shard : shards_) shard->served().Close();
}

// Shards refer to each other: none may go before all are at rest. The driver has stopped and the
// traffic is cancelled, so what can still happen is a timer that was about to fire, work that comes
// back from elsewhere, and a chain of tasks of at most three links (an end on a lane's shard, the
// lane's end on the run's shard, the next run's end there).
void Engine::Core::BringToRest() {
  {
    absl::MutexLock lock(&mutex_);
    const auto is_over = +[](bool* pending) { return !*pending; };
    mutex_.Await(absl::Condition(is_over, &start_pending_));
    mutex_.Await(absl::Condition(is_over, &grace_pending_));
  }
  constexpr int kLongestChain = 3;
  for (int quiet = 0; quiet < kLongestChain;) {
    const bool busy =
        RunTaskOnEveryShard([](EngineShard& shard) { return shard.expects_something(); });
    quiet = busy ? 0 : quiet + 1;
  }
}

std::vector<const Recorder*> Engine::Core::recorders() const {
  std::vector<const Recorder*> recorders;
  for (const auto& recorder : recorders_) recorders.push_back(recorder.get());
  return recorders;
}

ServicePerformanceLog Engine::Core::BuildStatistics(absl::Time tail_deadline) {
  if (recorders_.empty()) WaitUntilIdle(tail_deadline);
  TakeRecorders();
  ServicePerformanceLog log = BuildServiceStatistics(recorders(), context_.anchor());
  std::vector<const ServedRecorder*> served;
  for (const auto& shard : shards_) served.push_back(&shard->served());
  WriteServedRpcs(served, log);
  WriteActivities(context_, log);
  WriteOneWayRpcs(context_, log);
  return log;
}

std::unique_ptr<RecordedSamples> Engine::Core::Samples() const {
  return std::make_unique<RecordedSamples>(recorders(), context_.anchor());
}

void Engine::Core::AddTimeSeries(TimeSeriesRows* rows) const {
  for (const auto& recorder : recorders_) recorder->AddTo(rows);
}

int64_t Engine::Core::Stop(absl::Time deadline) {
  CancelTraffic(absl::CancelledError("the service was stopped"));
  server_.DropWaiting();
  WaitUntilIdle(deadline);
  return driver_->Stop(deadline);
}

// --- Engine

Engine::Engine(EngineOptions options) : core_(std::make_unique<Core>(std::move(options))) {}

Engine::~Engine() = default;

absl::Status Engine::StartServer() { return core_->StartServer(); }

ProtocolDriver& Engine::driver() { return core_->driver(); }

void Engine::SetKnowsCausalKeys(InstanceIndex peer) { core_->SetKnowsCausalKeys(peer); }

void Engine::SetKnowsCausalKeys(ChannelIndex channel) { core_->SetKnowsCausalKeys(channel); }

void Engine::BeginServing() { core_->BeginServing(); }

void Engine::RunTraffic(int64_t start_ns, const WallAnchor& anchor,
                        std::function<void(absl::Status)> done) {
  core_->RunTraffic(start_ns, anchor, std::move(done));
}

void Engine::SetReplayOrigin(int64_t origin_ns) { core_->SetReplayOrigin(origin_ns); }

int64_t Engine::start_skew_ns() const { return core_->start_skew_ns(); }

void Engine::CancelTraffic(const absl::Status& reason) { core_->CancelTraffic(reason); }

absl::Status Engine::cancel_reason() const { return core_->cancel_reason(); }

int64_t Engine::pending_rpcs() const { return core_->pending_rpcs(); }

void Engine::CountTraffic(const std::shared_ptr<TrafficCounts>& counts) {
  core_->CountTraffic(counts);
}

ServicePerformanceLog Engine::BuildStatistics(absl::Time tail_deadline) {
  return core_->BuildStatistics(tail_deadline);
}

std::unique_ptr<RecordedSamples> Engine::Samples() const { return core_->Samples(); }

void Engine::AddTimeSeries(TimeSeriesRows* rows) const { core_->AddTimeSeries(rows); }

int64_t Engine::Stop(absl::Time deadline) { return core_->Stop(deadline); }

}  // namespace distbench
