#include "distbench/node/node_manager.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/net/grpc_target.h"
#include "distbench/node/node.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_service.h"
#include "distbench/node/registration.h"

namespace distbench {
namespace {

constexpr int kControlProtocol = 1;
// How long the answer to ShutdownNode may take to leave.
constexpr absl::Duration kShutdownGrace = absl::Seconds(1);

NodeRegistration MakeRegistration(const NodeManagerOptions& options, uint16_t port,
                                  const std::string& service_address) {
  NodeRegistration registration;
  registration.set_hostname(options.control_plane.host_name);
  registration.set_control_ip(options.control_plane.numeric_ip);
  registration.set_control_port(port);
  registration.set_service_address(service_address);
  for (const auto& [name, value] : options.attributes) {
    Attribute* attribute = registration.add_attributes();
    attribute->set_name(name);
    attribute->set_value(value);
  }
  if (options.preassigned_id) {
    registration.set_preassigned_node_id(*options.preassigned_id);
    Attribute* attribute = registration.add_attributes();
    attribute->set_name("node_alias");
    attribute->set_value(absl::StrCat("node", *options.preassigned_id));
  }
  Daemon* daemon = registration.mutable_daemon();
  daemon->set_control_protocol(kControlProtocol);
  for (const char* capability : {"agreed_start", "probe_clock", "statistics"}) {
    daemon->add_capabilities(capability);
  }
  *daemon->mutable_provenance() = options.environment->provenance();
  return registration;
}

}  // namespace

absl::StatusOr<std::unique_ptr<NodeManager>> NodeManager::Start(NodeManagerOptions options) {
  ASSIGN_OR_RETURN(const HostPort sequencer, ParseHostPortOrTarget(options.test_sequencer));
  std::unique_ptr<NodeManager> manager(new NodeManager(std::move(options)));
  manager->registration_ = std::make_unique<Registration>(GrpcTarget(sequencer));
  RETURN_IF_ERROR(manager->Listen());
  return manager;
}

NodeManager::NodeManager(NodeManagerOptions options) : options_(std::move(options)) {}

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
  // First the node, so that every call that waits is answered; then the server can drain.
  if (node_ != nullptr) node_->Close();
  if (listener_ != nullptr) listener_->Shutdown(absl::Now() + kShutdownGrace);
}

absl::Status NodeManager::Register() {
  const NodeRegistration registration = MakeRegistration(options_, port(), service_address());
  ASSIGN_OR_RETURN(const NodeConfig config,
                   registration_->Register(registration, options_.registration_timeout));
  node_->SetAlias(config.node_alias());
  absl::MutexLock lock(&mutex_);
  alias_ = config.node_alias();
  return absl::OkStatus();
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
}

}  // namespace distbench
