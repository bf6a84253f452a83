#include "benchmarks/local_nodes.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

constexpr char kLoopback[] = "127.0.0.1";

size_t Shards() { return std::max(1u, std::thread::hardware_concurrency()); }

std::unique_ptr<DriverRegistry> MakeDrivers(FakeNetwork* network) {
  auto drivers = std::make_unique<DriverRegistry>();
  drivers->Register("fake", std::make_unique<FakeDriverFactory>(network));
  drivers->Register(
      "grpc", std::make_unique<GrpcDriverFactory>(GrpcDriverFactoryOptions{.shards = Shards()}));
  return drivers;
}

}  // namespace

LocalNodes::LocalNodes() : drivers_(MakeDrivers(&network_)) {
  for (auto& environment : environments_) {
    environment = std::make_unique<NodeEnvironment>(
        NodeEnvironmentOptions{.drivers = drivers_.get(),
                               .data_plane = {.bind_ip = kLoopback, .advertise_ip = kLoopback},
                               .shard_count = Shards(),
                               .command_line = {"benchmarks"}});
  }
}

absl::StatusOr<std::unique_ptr<LocalNodes>> LocalNodes::Start(size_t node_count) {
  std::unique_ptr<LocalNodes> nodes(new LocalNodes());
  RETURN_IF_ERROR(nodes->StartSequencer());
  for (size_t i = 0; i < node_count; ++i) RETURN_IF_ERROR(nodes->AddNode());
  return nodes;
}

LocalNodes::~LocalNodes() {
  // Nodes first: they would look for a sequencer that has gone.
  for (const auto& manager : managers_) manager->Shutdown();
  managers_.clear();
  if (sequencer_ != nullptr) sequencer_->Shutdown();
}

std::string LocalNodes::address() const { return absl::StrCat(kLoopback, ":", sequencer_->port()); }

absl::Status LocalNodes::StartSequencer() {
  ASSIGN_OR_RETURN(
      sequencer_,
      Sequencer::Start({.bind_ip = kLoopback, .port = 0, .drivers = KnownDriversOf(*drivers_)},
                       environments_[0]->provenance()));
  return absl::OkStatus();
}

absl::Status LocalNodes::AddNode() {
  NodeEnvironment* environment = environments_[managers_.size() % environments_.size()].get();
  ASSIGN_OR_RETURN(std::unique_ptr<NodeManager> manager,
                   NodeManager::Start({.environment = environment,
                                       .control_plane = {.bind_ip = kLoopback,
                                                         .advertise_host = kLoopback,
                                                         .numeric_ip = kLoopback,
                                                         .host_name = "localhost"},
                                       .test_sequencer = address()}));
  managers_.push_back(std::move(manager));
  return managers_.back()->Register();
}

}  // namespace distbench
