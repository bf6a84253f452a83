#include "distbench/cli/node_host.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/host_network.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_manager.h"

namespace distbench {

absl::StatusOr<std::unique_ptr<NodeHost>> NodeHost::Create(const NodeHostOptions& options) {
  const SystemNetwork network;
  ASSIGN_OR_RETURN(ControlPlaneAddress control_plane,
                   ChooseControlPlaneAddress(options.control_plane, network));
  ASSIGN_OR_RETURN(DataPlaneAddress data_plane,
                   ChooseDataPlaneAddress(options.data_plane, network));
  return std::unique_ptr<NodeHost>(
      new NodeHost(options, std::move(control_plane), std::move(data_plane)));
}

NodeHost::NodeHost(const NodeHostOptions& options, ControlPlaneAddress control_plane,
                   DataPlaneAddress data_plane)
    : test_sequencer_(options.test_sequencer),
      control_plane_(std::move(control_plane)),
      environment_(std::make_unique<NodeEnvironment>(
          NodeEnvironmentOptions{.drivers = options.drivers,
                                 .data_plane = std::move(data_plane),
                                 .shard_count = options.loops.shards,
                                 .placement = options.loops.placement,
                                 .samples = options.samples,
                                 .command_line = options.command_line})) {}

NodeHost::~NodeHost() {
  std::vector<std::unique_ptr<NodeManager>> managers;
  {
    absl::MutexLock lock(&mutex_);
    managers.swap(managers_);
  }
  managers.clear();
}

absl::StatusOr<std::string> NodeHost::AddNode(NodeIdentity identity) {
  ASSIGN_OR_RETURN(std::unique_ptr<NodeManager> started,
                   NodeManager::Start({.environment = environment_.get(),
                                       .control_plane = control_plane_,
                                       .test_sequencer = test_sequencer_,
                                       .attributes = std::move(identity.attributes),
                                       .preassigned_id = identity.preassigned_id,
                                       .service_address = std::move(identity.service_address)}));
  NodeManager* manager = Keep(std::move(started));
  if (manager == nullptr) return absl::CancelledError("stopped");
  RETURN_IF_ERROR(manager->Register());
  return absl::StrCat(manager->alias(), " at ", manager->service_address());
}

void NodeHost::Wait() {
  std::vector<NodeManager*> managers;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& manager : managers_) managers.push_back(manager.get());
  }
  for (NodeManager* manager : managers) manager->Wait();
}

void NodeHost::Shutdown() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  for (const auto& manager : managers_) manager->Shutdown();
}

NodeManager* NodeHost::Keep(std::unique_ptr<NodeManager> manager) {
  absl::MutexLock lock(&mutex_);
  if (stopping_) return nullptr;
  managers_.push_back(std::move(manager));
  return managers_.back().get();
}

}  // namespace distbench
