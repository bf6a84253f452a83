#include "distbench/testing/engine_cluster.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "distbench/activity/made_up_calibration.h"
#include "distbench/config/compiler.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/results/recorded_samples.h"
#include "glog/logging.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

std::shared_ptr<const Plan> CompileOrDie(const std::string& config_text) {
  DistributedSystemDescription config;
  CHECK(google::protobuf::TextFormat::ParseFromString(config_text, &config)) << config_text;
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan = CompileTest(config, {.names = {"fake", "grpc"}}, &diagnostics);
  CHECK(plan != nullptr) << diagnostics.ToStatus();
  return plan;
}

}  // namespace

EngineCluster::EngineCluster(const std::string& config_text)
    : EngineCluster(config_text, {.clock = &time_, .timers = &time_}) {}

EngineCluster::EngineCluster(const std::string& config_text, Threads threads)
    : threads_(threads), plan_(CompileOrDie(config_text)) {
  anchor_ = AnchorWallClock(*threads_.clock);
  outcomes_.resize(plan_->instances.size());
  const DriverEnvironment environment = {.clock = threads_.clock,
                                         .timers = threads_.timers,
                                         .address = &address_,
                                         .peer_count = plan_->instances.size(),
                                         .channel_count = plan_->channels.size()};
  for (size_t i = 0; i < plan_->instances.size(); ++i) {
    engines_.push_back(std::make_unique<Engine>(
        EngineOptions{.plan = plan_,
                      .self = InstanceIndex(i),
                      .driver = std::make_unique<FakeDriver>(&network_, environment),
                      .clock = threads_.clock,
                      .timers = threads_.timers,
                      .pacers = threads_.pacers,
                      .shards = threads_.shards,
                      .workers = threads_.workers,
                      .calibrated_work = MadeUpCalibration(),
                      .seed = plan_->seed.value_or(1)}));
  }
}

EngineCluster::~EngineCluster() {
  if (!connected_) return;
  for (auto& engine : engines_) engine->CancelTraffic(absl::CancelledError("end of the test"));
  for (auto& engine : engines_) engine->Stop(absl::Now());
}

InstanceIndex EngineCluster::index(const std::string& instance) const {
  auto it = plan_->instance_by_name.find(instance);
  CHECK(it != plan_->instance_by_name.end()) << instance;
  return it->second;
}

Engine& EngineCluster::engine(const std::string& instance) {
  return *engines_[index(instance).value()];
}

void EngineCluster::Connect(bool serve) {
  connected_ = true;
  for (auto& engine : engines_) CHECK(engine->StartServer().ok());
  for (size_t i = 0; i < engines_.size(); ++i) {
    ProtocolDriver& driver = engines_[i]->driver();
    const ServicePlan& service = plan_->services[plan_->instances[InstanceIndex(i)].service];
    for (ServiceIndex called : service.called) {
      for (size_t rank = 0; rank < plan_->services[called].count; ++rank) {
        const InstanceIndex peer(plan_->services[called].first.value() + rank);
        auto info = engines_[peer.value()]->driver().AcceptConnection(driver.InitiatorInfo());
        CHECK(info.ok()) << info.status();
        driver.Connect(peer, *info, absl::InfiniteFuture(),
                       [](absl::Status status) { CHECK(status.ok()) << status; });
      }
    }
  }
  ConnectChannels();
  for (auto& engine : engines_) {
    for (size_t i = 0; i < engines_.size(); ++i) engine->SetKnowsCausalKeys(InstanceIndex(i));
  }
  if (serve) BeginServing();
}

void EngineCluster::ConnectChannels() {
  for (size_t i = 0; i < engines_.size(); ++i) {
    ProtocolDriver& driver = engines_[i]->driver();
    const ServicePlan& service = plan_->services[plan_->instances[InstanceIndex(i)].service];
    for (const ChannelIndex index : service.channels) {
      const ChannelPlan& channel = plan_->channels[index];
      ChannelTarget target = {.config = channel.config.get(), .members = {}};
      for (const size_t rank : channel.members) {
        const InstanceIndex peer(plan_->services[channel.server].first.value() + rank);
        auto info = engines_[peer.value()]->driver().AcceptConnection(driver.InitiatorInfo());
        CHECK(info.ok()) << info.status();
        target.members.push_back({.peer = peer, .responder_info = *std::move(info)});
      }
      driver.ConnectChannel(index, target, absl::InfiniteFuture(),
                            [](absl::Status status) { CHECK(status.ok()) << status; });
    }
  }
}

void EngineCluster::BeginServing() {
  for (auto& engine : engines_) engine->BeginServing();
}

void EngineCluster::Start() {
  if (!connected_) Connect();
  start_ns_ = threads_.clock->MonotonicNs();
  for (size_t i = 0; i < engines_.size(); ++i) {
    engines_[i]->RunTraffic(start_ns_, anchor_, [this, i](absl::Status status) {
      absl::MutexLock lock(&mutex_);
      CHECK(!outcomes_[i].has_value()) << "ended twice";
      outcomes_[i] = std::move(status);
    });
  }
}

bool EngineCluster::AllDone() const {
  return std::all_of(outcomes_.begin(), outcomes_.end(),
                     [](const auto& outcome) { return outcome.has_value(); });
}

bool EngineCluster::RunUntilDone() {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      if (AllDone()) return true;
    }
    if (!time_.RunNextTimer()) return false;
  }
}

bool EngineCluster::WaitUntilDone(absl::Time deadline) {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(this, &EngineCluster::AllDone), deadline);
}

std::optional<absl::Status> EngineCluster::outcome(const std::string& instance) const {
  absl::MutexLock lock(&mutex_);
  return outcomes_[index(instance).value()];
}

ServicePerformanceLog EngineCluster::Log(const std::string& instance) {
  ServicePerformanceLog log = engine(instance).BuildStatistics(tail_deadline());
  AddAllSamples(*engine(instance).Samples(), log);
  return log;
}

EngineCluster::RpcCounts EngineCluster::Counts(const std::string& instance,
                                               const std::string& rpc) {
  const auto rpc_plan = std::find_if(plan_->rpcs.begin(), plan_->rpcs.end(),
                                     [&rpc](const RpcPlan& p) { return p.name == rpc; });
  CHECK(rpc_plan != plan_->rpcs.end()) << rpc;
  const auto rpc_index = static_cast<int32_t>(rpc_plan - plan_->rpcs.begin());
  RpcCounts counts;
  const ServicePerformanceLog log = Log(instance);
  for (const auto& [peer, peer_log] : log.peer_logs()) {
    auto it = peer_log.rpc_logs().find(rpc_index);
    if (it == peer_log.rpc_logs().end()) continue;
    const RpcStatistics& statistics = it->second.statistics();
    counts.successes += statistics.measured_success().count();
    counts.failures += statistics.measured_failure().count();
    counts.warmups += statistics.warmup_success().count() + statistics.warmup_failure().count();
    counts.cancelled += statistics.cancelled();
    counts.abandoned += statistics.abandoned();
    counts.per_server[peer] += statistics.measured_success().count();
    counts.samples.insert(counts.samples.end(), it->second.successful_rpc_samples().begin(),
                          it->second.successful_rpc_samples().end());
  }
  std::stable_sort(counts.samples.begin(), counts.samples.end(),
                   [](const RpcSample& a, const RpcSample& b) {
                     return a.start_timestamp_ns() < b.start_timestamp_ns();
                   });
  return counts;
}

}  // namespace distbench
