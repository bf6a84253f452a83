#include "distbench/cli/local_cluster.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/node_host.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/net/host_network.h"
#include "distbench/net/socket_address.h"
#include "distbench/node/node_environment.h"
#include "distbench/results/provenance.h"
#include "distbench/sequencer/sequencer.h"
#include "protos/provenance.pb.h"

namespace distbench {

namespace {

// Where something that binds `ip` can be reached from this machine.
std::string LocalHost(const std::string& ip) {
  if (!IsWildcard(ip)) return ip;
  return FamilyOf(ip) == IpFamily::kV6 ? "::1" : "127.0.0.1";
}

}  // namespace

absl::StatusOr<std::unique_ptr<LocalCluster>> LocalCluster::Start(LocalClusterOptions options) {
  ASSIGN_OR_RETURN(const ControlPlaneAddress control_plane,
                   ChooseControlPlaneAddress(options.control_plane, SystemNetwork()));
  std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry(options.loops);
  ASSIGN_OR_RETURN(std::unique_ptr<Sequencer> sequencer,
                   Sequencer::Start({.bind_ip = control_plane.bind_ip,
                                     .port = control_plane.port,
                                     .drivers = KnownDriversOf(*drivers)},
                                    ProgramProvenance(options.command_line)));
  std::string address = FormatHostPort(LocalHost(control_plane.bind_ip), sequencer->port());
  return std::unique_ptr<LocalCluster>(new LocalCluster(std::move(options), std::move(drivers),
                                                        std::move(sequencer), std::move(address)));
}

LocalCluster::LocalCluster(LocalClusterOptions options, std::unique_ptr<DriverRegistry> drivers,
                           std::unique_ptr<Sequencer> sequencer, std::string address)
    : options_(std::move(options)),
      drivers_(std::move(drivers)),
      sequencer_(std::move(sequencer)),
      address_(std::move(address)) {}

LocalCluster::~LocalCluster() {
  sequencer_->Shutdown();
  absl::MutexLock lock(&mutex_);
  nodes_.reset();
}

absl::Status LocalCluster::AddNodes(int count) {
  if (count == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const HostPort sequencer, ParseHostPort(address_));
  NodeHostOptions options = {.drivers = drivers_.get(),
                             .loops = options_.loops,
                             .test_sequencer = address_,
                             .control_plane = options_.control_plane,
                             .data_plane = options_.data_plane,
                             .samples = options_.samples,
                             .command_line = options_.command_line};
  options.control_plane.port = 0;
  options.control_plane.sequencer_host = sequencer.host;
  options.data_plane.sequencer_host = sequencer.host;
  ASSIGN_OR_RETURN(std::unique_ptr<NodeHost> started, NodeHost::Create(options));
  NodeHost* nodes = started.get();
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return absl::CancelledError("stopped");
    nodes_ = std::move(started);
  }
  for (int i = 0; i < count; ++i) RETURN_IF_ERROR(nodes->AddNode({}).status());
  return absl::OkStatus();
}

void LocalCluster::Wait() { sequencer_->Wait(); }

void LocalCluster::RequestShutdown() {
  sequencer_->RequestShutdown();
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  if (nodes_ != nullptr) nodes_->Shutdown();
}

}  // namespace distbench
