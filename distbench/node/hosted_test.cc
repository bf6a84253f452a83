#include "distbench/node/hosted_test.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/node/dispatch_threads.h"
#include "distbench/node/engine_host.h"
#include "distbench/node/hosted_samples.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/peer_introduction.h"
#include "distbench/node/peers_to_introduce.h"
#include "distbench/node/resource_needs.h"
#include "distbench/node/traffic_run.h"
#include "distbench/results/recorded_samples.h"
#include "distbench/results/time_series_proto.h"
#include "distbench/results/traffic_counts.h"
#include "glog/logging.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// How long list runs may go on after their answer and still be recorded.
constexpr absl::Duration kTailGrace = absl::Seconds(1);

// What each engine has to stop, even if those before it used up the time of all.
constexpr absl::Duration kLeastStopTime = absl::Milliseconds(100);

// Sequencers of this program choose a seed and tell it; others do not.
uint64_t SeedOf(const Plan& plan) {
  if (plan.seed) return *plan.seed;
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// An instance that neither sent nor answered anything, nor did other work.
bool IsEmpty(const ServicePerformanceLog& log) {
  return log.peer_logs().empty() && log.served_rpcs().empty() && log.iterations().empty() &&
         log.activity_logs().empty() && log.replay_trace_logs().empty();
}

void AddDriverStatistics(const ProtocolDriver& driver, ServicePerformanceLog& log) {
  for (const DriverStatistic& statistic : driver.Statistics()) {
    DriverStatisticLog& message = *log.add_driver_statistics();
    message.set_name(statistic.name);
    message.set_value(statistic.value);
  }
}

using Connections = std::vector<PeerIntroductionOptions::Connection>;

// To all that the host's engine sends to.
absl::Status AddConnections(const Plan& plan, EngineHost* host, const ServiceEndpointMap& endpoints,
                            Connections& connections) {
  ASSIGN_OR_RETURN(const std::vector<PeerEndpoint> peers,
                   PeersCalledBy(plan, host->self(), endpoints));
  for (const PeerEndpoint& peer : peers) {
    connections.push_back({.host = host, .channel = std::nullopt, .peers = {peer}});
  }
  for (const ChannelIndex channel : host->service().channels) {
    ASSIGN_OR_RETURN(std::vector<PeerEndpoint> members,
                     MembersOf(plan, channel, host->self(), endpoints));
    connections.push_back({.host = host, .channel = channel, .peers = std::move(members)});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HostedTest>> HostedTest::Start(const HostedTestOptions& options) {
  ResourceBudget* budget = options.environment->budget();
  const DriverRegistry& drivers = options.environment->drivers();
  const auto driver_needs = [&](const ServicePlan& service) -> DriverNeeds {
    const DriverFactory* driver = drivers.Find(service.protocol);
    if (driver == nullptr) return {};
    const ProtocolDriverOptions& of_driver = *service.driver_options;
    return {.listeners = driver->ListenersPerEngine(of_driver),
            .ports = driver->PortsPerEngine(of_driver),
            .descriptors_per_peer = driver->DescriptorsPerPeer(of_driver)};
  };
  ASSIGN_OR_RETURN(auto reservation,
                   budget->Reserve(EstimateNeeds(*options.plan, options.instances, driver_needs)));
  RETURN_IF_ERROR(
      CheckThreads({.in_process = options.environment->thread_watch()->threads(),
                    .dispatch = budget->reserved_threads(),
                    .dispatched_by = DispatchThreadsOf(*options.plan, options.instances).mostly},
                   options.plan->max_threads, budget->limits()));
  std::unique_ptr<HostedTest> test(new HostedTest(options, std::move(reservation)));
  RETURN_IF_ERROR(test->StartEngines(options));
  return test;
}

HostedTest::HostedTest(const HostedTestOptions& options,
                       std::unique_ptr<ResourceBudget::Reservation> reservation)
    : environment_(options.environment),
      plan_(options.plan),
      reservation_(std::move(reservation)) {}

HostedTest::~HostedTest() { Stop("the test was removed", absl::Now()); }

absl::Status HostedTest::StartEngines(const HostedTestOptions& options) {
  const uint64_t seed = SeedOf(*plan_);
  const CalibratedWorkKinds calibrated_work =
      options.environment->work_calibrator()->Calibrate(*plan_);
  for (const InstanceIndex instance : options.instances) {
    ASSIGN_OR_RETURN(auto host, EngineHost::Start({.environment = options.environment,
                                                   .plan = plan_,
                                                   .self = instance,
                                                   .seed = seed,
                                                   .calibrated_work = calibrated_work}));
    hosts_.push_back(std::move(host));
  }
  return absl::OkStatus();
}

ServiceEndpointMap HostedTest::Endpoints() const {
  ServiceEndpointMap endpoints;
  for (const auto& host : hosts_) {
    (*endpoints.mutable_service_endpoints())[host->name()].set_endpoint_address(
        host->endpoint_address());
  }
  return endpoints;
}

void HostedTest::IntroducePeers(const ServiceEndpointMap& peers, absl::Time deadline, Done done) {
  if (introduction_ != nullptr) {
    return done(absl::FailedPreconditionError(
        "IntroducePeers was called before; configure the node again first"));
  }
  PeerIntroductionOptions options;
  options.deadline = deadline;
  options.done = [this, done = std::move(done)](const absl::Status& status) {
    if (status.ok()) OnIntroduced();
    done(status);
  };
  for (const auto& host : hosts_) {
    const absl::Status added = AddConnections(*plan_, host.get(), peers, options.connections);
    if (!added.ok()) return options.done(added);
  }
  introduction_ = PeerIntroduction::Start(std::move(options));
}

void HostedTest::OnIntroduced() {
  for (const auto& host : hosts_) host->engine().BeginServing();
  is_introduced_.store(true);
}

absl::Status HostedTest::RunTraffic(const TrafficStart& start, Done on_overload, Done done) {
  if (!is_introduced_.load()) {
    return absl::FailedPreconditionError("IntroducePeers has not succeeded before");
  }
  if (run_ != nullptr) return absl::FailedPreconditionError("traffic was run before");
  thread_watch_ = environment_->thread_watch()->Begin(
      plan_->max_threads,
      [this, on_overload](int64_t threads) { on_overload(TooManyThreads(threads)); });
  run_ = std::make_shared<TrafficRun>(TrafficRun::Options{.engine_count = hosts_.size(),
                                                          .on_overload = std::move(on_overload),
                                                          .done = std::move(done)});
  for (const auto& host : hosts_) {
    host->engine().SetReplayOrigin(start.replay_origin_ns);
    host->engine().RunTraffic(start.start_ns, start.anchor,
                              [run = run_](absl::Status status) { run->OnEngineDone(status); });
  }
  return absl::OkStatus();
}

absl::Status HostedTest::TooManyThreads(int64_t threads) const {
  const size_t others = hosts_.size() - 1;
  return absl::ResourceExhaustedError(
      absl::StrCat("the process of ", hosts_.front()->name(),
                   others == 0 ? "" : absl::StrCat(" and ", others, " more"), " has ", threads,
                   " threads, above overload_limits.max_threads: ", plan_->max_threads));
}

void HostedTest::CancelTraffic(const absl::Status& reason) {
  is_cancelled_ = true;
  for (const auto& host : hosts_) host->engine().CancelTraffic(reason);
}

absl::Status HostedTest::overload() const {
  for (const auto& host : hosts_) {
    absl::Status reason = host->engine().cancel_reason();
    if (absl::IsResourceExhausted(reason)) return reason;
  }
  return absl::OkStatus();
}

bool HostedTest::is_running() const { return run_ != nullptr && !run_->has_ended(); }

bool HostedTest::WaitUntilEnded(absl::Time deadline) {
  return run_ == nullptr || run_->WaitUntilEnded(deadline);
}

std::optional<int64_t> HostedTest::start_skew_ns() const {
  if (run_ == nullptr) return std::nullopt;
  int64_t latest_ns = 0;
  for (const auto& host : hosts_) {
    latest_ns = std::max(latest_ns, host->engine().start_skew_ns());
  }
  return latest_ns;
}

void HostedTest::CountTraffic(
    std::function<void(std::shared_ptr<const TrafficCounts>)> done) const {
  // Each shard that has not told yet holds on to this.
  struct Counting {
    explicit Counting(std::function<void(std::shared_ptr<const TrafficCounts>)> on_done)
        : done(std::move(on_done)) {}
    ~Counting() { done(std::move(counts)); }

    std::shared_ptr<TrafficCounts> counts = std::make_shared<TrafficCounts>();
    const std::function<void(std::shared_ptr<const TrafficCounts>)> done;
  };
  const auto counting = std::make_shared<Counting>(std::move(done));
  for (const auto& host : hosts_) {
    host->engine().CountTraffic(std::shared_ptr<TrafficCounts>(counting, counting->counts.get()));
  }
}

ServiceLogs HostedTest::BuildStatistics() {
  thread_watch_ = nullptr;
  ServiceLogs logs;
  const absl::Time tail_deadline = absl::Now() + kTailGrace;
  for (const auto& host : hosts_) {
    ServicePerformanceLog log = host->engine().BuildStatistics(tail_deadline);
    if (IsEmpty(log)) continue;
    AddDriverStatistics(host->engine().driver(), log);
    (*logs.mutable_instance_logs())[host->name()] = std::move(log);
  }
  return logs;
}

std::unique_ptr<HostedSamples> HostedTest::Samples() const {
  std::vector<std::unique_ptr<RecordedSamples>> samples;
  for (const auto& host : hosts_) samples.push_back(host->engine().Samples());
  return std::make_unique<HostedSamples>(std::move(samples));
}

TimeSeries HostedTest::BuildTimeSeries() const {
  TimeSeriesRows rows;
  for (const auto& host : hosts_) host->engine().AddTimeSeries(&rows);
  TimeSeries message;
  WriteTimeSeries(std::move(rows), message);
  return message;
}

void HostedTest::Stop(const std::string& reason, absl::Time deadline) {
  if (std::exchange(is_stopped_, true)) return;
  thread_watch_ = nullptr;
  const absl::Status status = absl::CancelledError(reason);
  CancelTraffic(status);
  if (introduction_ != nullptr) introduction_->End(status);
  // An engine that is stopped must not begin its main list any more.
  WaitUntilEnded(deadline);
  int64_t abandoned = 0;
  for (const auto& host : hosts_) {
    abandoned += host->Stop(std::max(deadline, absl::Now() + kLeastStopTime));
  }
  LOG_IF(WARNING, abandoned > 0) << abandoned << " calls did not end and were abandoned";
  if (run_ != nullptr) run_->GiveUp(status);
}

}  // namespace distbench
