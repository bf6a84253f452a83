#include "distbench/interop/our_node.h"

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr size_t kShards = 2;

std::unique_ptr<DriverRegistry> GrpcOnly() {
  auto drivers = std::make_unique<DriverRegistry>();
  drivers->Register(
      "grpc", std::make_unique<GrpcDriverFactory>(GrpcDriverFactoryOptions{.shards = kShards}));
  return drivers;
}

}  // namespace

OurNode::OurNode(uint16_t sequencer_port)
    : drivers_(GrpcOnly()),
      environment_({.drivers = drivers_.get(),
                    .data_plane = {.bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1"},
                    .shard_count = kShards}) {
  auto manager = NodeManager::Start({.environment = &environment_,
                                     .control_plane = {.bind_ip = "127.0.0.1",
                                                       .advertise_host = "127.0.0.1",
                                                       .numeric_ip = "127.0.0.1",
                                                       .host_name = "ours"},
                                     .test_sequencer = absl::StrCat("127.0.0.1:", sequencer_port)});
  CHECK(manager.ok()) << manager.status();
  manager_ = *std::move(manager);
  const absl::Status registered = manager_->Register();
  CHECK(registered.ok()) << registered;
}

}  // namespace distbench
