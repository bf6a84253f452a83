#include "distbench/node/engine_host.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/engine/fanout.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/net/socket_address.h"
#include "distbench/node/connection_setup_client.h"
#include "distbench/node/connection_setup_service.h"
#include "distbench/node/driver_hello.h"
#include "distbench/node/node_environment.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

absl::Status WithInstance(const std::string& instance, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("instance ", instance, ": ", status.message()));
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> CreateDriver(const ServicePlan& service,
                                                             size_t peer_count,
                                                             NodeEnvironment* environment) {
  DriverFactory* factory = environment->drivers().Find(service.protocol);
  if (factory == nullptr) {
    return absl::NotFoundError(absl::StrCat("this node has no driver '", service.protocol, "'"));
  }
  return factory->Create(*service.driver_options, {.clock = &environment->clock(),
                                                   .timers = environment->timers(),
                                                   .address = &environment->data_plane(),
                                                   .peer_count = peer_count});
}

}  // namespace

absl::StatusOr<std::unique_ptr<EngineHost>> EngineHost::Start(const EngineHostOptions& options) {
  std::unique_ptr<EngineHost> host(new EngineHost(options));
  absl::Status status = host->StartEngine(options);
  if (status.ok()) status = host->StartSetupServer(*options.environment);
  if (!status.ok()) return WithInstance(host->name(), status);
  return host;
}

EngineHost::EngineHost(const EngineHostOptions& options)
    : plan_(options.plan),
      self_(options.self),
      setup_client_(std::make_unique<ConnectionSetupClient>()) {}

EngineHost::~EngineHost() {
  if (!is_stopped_) Stop(absl::Now());
}

absl::Status EngineHost::StartEngine(const EngineHostOptions& options) {
  NodeEnvironment* environment = options.environment;
  ASSIGN_OR_RETURN(auto driver, CreateDriver(service(), plan_->instances.size(), environment));
  engine_ = std::make_unique<Engine>(EngineOptions{.plan = plan_,
                                                   .self = self_,
                                                   .driver = std::move(driver),
                                                   .clock = &environment->clock(),
                                                   .timers = environment->timers(),
                                                   .pacers = environment->pacers(),
                                                   .shards = environment->shards(),
                                                   .workers = environment->workers(),
                                                   .seed = options.seed,
                                                   .sample_store = environment->sample_store()});
  return engine_->StartServer();
}

absl::Status EngineHost::StartSetupServer(const NodeEnvironment& environment) {
  const DataPlaneAddress& address = environment.data_plane();
  setup_service_ = std::make_unique<ConnectionSetupService>(&engine_->driver(), Hello());
  ASSIGN_OR_RETURN(setup_listener_, GrpcListener::Start({.bind_ip = address.bind_ip,
                                                         .ports = address.ports,
                                                         .service = setup_service_.get()}));
  endpoint_address_ = FormatHostPort(address.advertise_ip, setup_listener_->port());
  return absl::OkStatus();
}

DriverHello EngineHost::Hello() const {
  return MakeDriverHello(DriverNameOf(*service().driver_options), name(),
                         engine_->driver().capabilities());
}

// Along a grid these are few, however large the service is.
std::vector<InstanceIndex> EngineHost::PeersToCall() const {
  const ServiceIndex own = plan_->instances[self_].service;
  std::set<InstanceIndex> peers;
  for (size_t i = 0; i < plan_->rpcs.size(); ++i) {
    const RpcPlan& rpc = plan_->rpcs[RpcIndex(i)];
    const bool is_client =
        std::find(rpc.clients.begin(), rpc.clients.end(), own) != rpc.clients.end();
    const std::vector<ServiceIndex>& called = service().called;
    if (!is_client || !std::binary_search(called.begin(), called.end(), rpc.server)) continue;
    const CandidateTargets candidates(*plan_, RpcIndex(i), self_);
    for (size_t k = 0; k < candidates.count(); ++k) peers.insert(candidates.at(k));
  }
  return {peers.begin(), peers.end()};
}

void EngineHost::ConnectTo(InstanceIndex peer, const std::string& endpoint_address,
                           absl::Time deadline, std::function<void(absl::Status)> done) {
  ConnectRequest request;
  request.set_initiator_info(engine_->driver().InitiatorInfo());
  *request.mutable_hello() = Hello();
  setup_client_->Ask(
      endpoint_address, request, deadline,
      [this, peer, deadline, done = std::move(done)](absl::StatusOr<ConnectResponse> answer) {
        OnSetupAnswer(peer, deadline, std::move(answer), done);
      });
}

void EngineHost::OnSetupAnswer(InstanceIndex peer, absl::Time deadline,
                               absl::StatusOr<ConnectResponse> answer,
                               const std::function<void(absl::Status)>& done) {
  auto report = [this, peer, done](absl::Status status) {
    if (status.ok()) return done(std::move(status));
    done(absl::Status(status.code(),
                      absl::StrCat(name(), " cannot connect to ", plan_->instances[peer].name, ": ",
                                   status.message())));
  };
  if (!answer.ok()) return report(answer.status());
  if (answer->has_hello()) {
    const absl::Status match = CheckDriverHello(Hello(), answer->hello());
    if (!match.ok()) return report(match);
    if (KnowsCausalKeys(answer->hello())) engine_->SetKnowsCausalKeys(peer);
  }
  engine_->driver().Connect(peer, answer->responder_info(), deadline, report);
}

int64_t EngineHost::Stop(absl::Time deadline) {
  is_stopped_ = true;
  setup_client_->Close();
  // Peers that ask now are told at once; they cannot be served any more.
  if (setup_listener_ != nullptr) setup_listener_->Shutdown(absl::Now());
  return engine_ == nullptr ? 0 : engine_->Stop(deadline);
}

}  // namespace distbench
