#include "distbench/node/node_manager.h"

#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/net/grpc_target.h"
#include "distbench/node/node.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_service.h"
#include "distbench/node/registration.h"
#include "distbench/node/registration_renewal.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr int kControlProtocol = 1;
// How long the answer to ShutdownNode may take to leave.
constexpr absl::Duration kShutdownGrace = absl::Seconds(1);

// How long a repeated registration waits for its answer.
constexpr absl::Duration kRenewalTimeout = absl::Seconds(10);

void AddAttribute(const std::string& name, const std::string& value,
                  NodeRegistration* registration) {
  Attribute* attribute = registration->add_attributes();
  attribute->set_name(name);
  attribute->set_value(value);
}

uint64_t DrawIncarnation() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

double DrawUnit() {
  std::random_device device;
  return device() / (std::random_device::max() + 1.0);
}

}  // namespace

absl::StatusOr<std::unique_ptr<NodeManager>> NodeManager::Start(NodeManagerOptions options) {
  ASSIGN_OR_RETURN(const HostPort sequencer, ParseHostPortOrTarget(options.test_sequencer));
  std::unique_ptr<NodeManager> manager(new NodeManager(std::move(options)));
  manager->registration_ = std::make_unique<Registration>(GrpcTarget(sequencer));
  RETURN_IF_ERROR(manager->Listen());
  return manager;
}

NodeManager::NodeManager(NodeManagerOptions options)
    : options_(std::move(options)), incarnation_(DrawIncarnation()) {}

absl::Status NodeManager::Listen() {
  node_ = std::make_unique<Node>(NodeOptions{.environment = options_.environment,
                                             .host_name = options_.control_plane.host_name,
                                             .on_shutdown = [this] { Shutdown(); }});
  service_ = std::make_unique<NodeService>(node_.get());
  const uint16_t port = options_.control_plane.port;
  ASSIGN_OR_RETURN(listener_, GrpcListener::Start({.bind_ip = options_.control_plane.bind_ip,
                                                   .ports = {port, port},
                                                   .service = service_.get()}));
  return absl::OkStatus();
}

NodeManager::~NodeManager() {
  Shutdown();
  std::unique_ptr<RegistrationRenewal> renewal;
  {
    absl::MutexLock lock(&mutex_);
    renewal = std::move(renewal_);
  }
  renewal.reset();
  // First the node, so that every call that waits is answered; then the server can drain.
  if (node_ != nullptr) node_->Close();
  if (listener_ != nullptr) listener_->Shutdown(absl::Now() + kShutdownGrace);
}

absl::Status NodeManager::Register() {
  ASSIGN_OR_RETURN(const NodeConfig config,
                   registration_->Register(MakeRegistration(), options_.registration_timeout));
  OnRegistered(config);
  KeepRegistered();
  return absl::OkStatus();
}

NodeRegistration NodeManager::MakeRegistration() const {
  NodeRegistration registration;
  registration.set_hostname(options_.control_plane.host_name);
  registration.set_control_ip(options_.control_plane.numeric_ip);
  registration.set_control_port(port());
  registration.set_service_address(service_address());
  for (const auto& [name, value] : options_.attributes) AddAttribute(name, value, &registration);
  if (options_.preassigned_id) {
    registration.set_preassigned_node_id(*options_.preassigned_id);
    AddAttribute("node_alias", absl::StrCat("node", *options_.preassigned_id), &registration);
  }
  Daemon* daemon = registration.mutable_daemon();
  daemon->set_control_protocol(kControlProtocol);
  for (const char* capability : {"agreed_start", "probe_clock", "statistics"}) {
    daemon->add_capabilities(capability);
  }
  *daemon->mutable_provenance() = options_.environment->provenance();
  registration.set_incarnation(incarnation_);
  absl::MutexLock lock(&mutex_);
  if (former_id_.has_value()) registration.set_former_node_id(*former_id_);
  return registration;
}

void NodeManager::OnRegistered(const NodeConfig& config) {
  std::string former_alias;
  {
    absl::MutexLock lock(&mutex_);
    former_id_.reset();
    // To one of another program the message would be another one, and so the node.
    if (config.has_daemon()) former_id_ = config.node_id();
    former_alias = std::exchange(alias_, config.node_alias());
  }
  if (former_alias == config.node_alias()) return;
  node_->SetAlias(config.node_alias());
  LOG_IF(WARNING, !former_alias.empty())
      << former_alias << " is " << config.node_alias() << " now: its test sequencer says so";
}

void NodeManager::KeepRegistered() {
  absl::MutexLock lock(&mutex_);
  if (stop_requested_) return;
  renewal_ = std::make_unique<RegistrationRenewal>(RegistrationRenewalOptions{
      .clock = &options_.environment->clock(),
      .timers = options_.environment->timers(),
      .sequencer = options_.test_sequencer,
      .period = options_.registration_period,
      .draw_unit = DrawUnit,
      .ask =
          [this](std::function<void(absl::StatusOr<NodeConfig>)> done) {
            // Away from the timers' thread, which others wait for.
            options_.environment->work_pool()->Submit([this, done = std::move(done)] {
              registration_->Ask(MakeRegistration(), kRenewalTimeout, done);
            });
          },
      .on_registered = [this](const NodeConfig& config) { OnRegistered(config); }});
}

std::string NodeManager::alias() const {
  absl::MutexLock lock(&mutex_);
  return alias_;
}

uint16_t NodeManager::port() const { return listener_->port(); }

std::string NodeManager::service_address() const {
  if (!options_.service_address.empty()) return options_.service_address;
  return options_.control_plane.ServiceAddress(listener_->port());
}

void NodeManager::Wait() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&stop_requested_));
}

void NodeManager::Shutdown() {
  registration_->Cancel();
  absl::MutexLock lock(&mutex_);
  stop_requested_ = true;
  if (renewal_ != nullptr) renewal_->Stop();
}

}  // namespace distbench
