#include "distbench/node/engine_host.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/driver_registry.h"
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
                                                             const Plan& plan,
                                                             NodeEnvironment* environment) {
  DriverFactory* factory = environment->drivers().Find(service.protocol);
  if (factory == nullptr) {
    return absl::NotFoundError(absl::StrCat("this node has no driver '", service.protocol, "'"));
  }
  return factory->Create(*service.driver_options, {.clock = &environment->clock(),
                                                   .timers = environment->timers(),
                                                   .address = &environment->data_plane(),
                                                   .peer_count = plan.instances.size(),
                                                   .channel_count = plan.channels.size()});
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
  ASSIGN_OR_RETURN(auto driver, CreateDriver(service(), *plan_, environment));
  engine_ = std::make_unique<Engine>(EngineOptions{.plan = plan_,
                                                   .self = self_,
                                                   .driver = std::move(driver),
                                                   .clock = &environment->clock(),
                                                   .timers = environment->timers(),
                                                   .pacers = environment->pacers(),
                                                   .shards = environment->shards(),
                                                   .workers = environment->workers(),
                                                   .calibrated_work = options.calibrated_work,
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

// --- Connecting

struct EngineHost::SetupAnswer {
  std::string responder_info;
  bool knows_causal_keys = false;
};

void EngineHost::Ask(const PeerEndpoint& peer, absl::Time deadline,
                     std::function<void(absl::StatusOr<SetupAnswer>)> done) {
  ConnectRequest request;
  request.set_initiator_info(engine_->driver().InitiatorInfo());
  *request.mutable_hello() = Hello();
  setup_client_->Ask(peer.address, request, deadline,
                     [this, done = std::move(done)](absl::StatusOr<ConnectResponse> answer) {
                       if (!answer.ok()) return done(answer.status());
                       if (answer->has_hello()) {
                         const absl::Status match = CheckDriverHello(Hello(), answer->hello());
                         if (!match.ok()) return done(match);
                       }
                       done(SetupAnswer{.responder_info = answer->responder_info(),
                                        .knows_causal_keys = answer->has_hello() &&
                                                             KnowsCausalKeys(answer->hello())});
                     });
}

absl::Status EngineHost::CannotConnect(const std::string& whom, const absl::Status& reason) const {
  if (reason.ok()) return reason;
  return absl::Status(reason.code(),
                      absl::StrCat(name(), " cannot connect to ", whom, ": ", reason.message()));
}

void EngineHost::ConnectTo(const PeerEndpoint& peer, absl::Time deadline, Done done) {
  auto report = [this, peer = peer.peer, done = std::move(done)](const absl::Status& status) {
    done(CannotConnect(plan_->instances[peer].name, status));
  };
  Ask(peer, deadline,
      [this, peer = peer.peer, deadline, report](const absl::StatusOr<SetupAnswer>& answer) {
        if (!answer.ok()) return report(answer.status());
        if (answer->knows_causal_keys) engine_->SetKnowsCausalKeys(peer);
        engine_->driver().Connect(peer, answer->responder_info, deadline, report);
      });
}

// Members of a channel on their way to be connected.
struct EngineHost::ChannelSetup {
  ChannelIndex channel;
  std::vector<PeerEndpoint> members;
  absl::Time deadline;
  Done done;
  ChannelTarget target;  // with the members that were asked
  bool all_know_causal_keys = true;
};

void EngineHost::ConnectChannel(ChannelIndex channel, std::vector<PeerEndpoint> members,
                                absl::Time deadline, Done done) {
  auto setup = std::make_shared<ChannelSetup>(
      ChannelSetup{.channel = channel,
                   .members = std::move(members),
                   .deadline = deadline,
                   .done = std::move(done),
                   .target = {.config = plan_->channels[channel].config.get(), .members = {}}});
  AskNextMember(setup);
}

void EngineHost::AskNextMember(const std::shared_ptr<ChannelSetup>& setup) {
  const size_t asked = setup->target.members.size();
  if (asked == setup->members.size()) return OnMembersAsked(setup);
  const PeerEndpoint& member = setup->members[asked];
  Ask(member, setup->deadline,
      [this, setup, peer = member.peer](absl::StatusOr<SetupAnswer> answer) {
        if (!answer.ok()) {
          return setup->done(CannotConnect(plan_->instances[peer].name, answer.status()));
        }
        setup->all_know_causal_keys &= answer->knows_causal_keys;
        setup->target.members.push_back(
            {.peer = peer, .responder_info = std::move(answer->responder_info)});
        AskNextMember(setup);
      });
}

void EngineHost::OnMembersAsked(const std::shared_ptr<ChannelSetup>& setup) {
  if (setup->all_know_causal_keys) engine_->SetKnowsCausalKeys(setup->channel);
  engine_->driver().ConnectChannel(
      setup->channel, setup->target, setup->deadline, [this, setup](const absl::Status& status) {
        const std::string& channel = plan_->channels[setup->channel].name;
        setup->done(CannotConnect(absl::StrCat("the channel '", channel, "'"), status));
      });
}

// --- The end

int64_t EngineHost::Stop(absl::Time deadline) {
  is_stopped_ = true;
  setup_client_->Close();
  // Peers that ask now are told at once; they cannot be served any more.
  if (setup_listener_ != nullptr) setup_listener_->Shutdown(absl::Now());
  return engine_ == nullptr ? 0 : engine_->Stop(deadline);
}

}  // namespace distbench
