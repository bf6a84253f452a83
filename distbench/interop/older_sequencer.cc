#include "distbench/interop/older_sequencer.h"

#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

constexpr absl::Duration kPrepareTimeout = absl::Seconds(60);
constexpr absl::Duration kResultTimeout = absl::Seconds(600);

}  // namespace

// The same registration again: the same node.
grpc::Status OlderSequencer::Service::RegisterNode(grpc::ServerContext*,
                                                   const NodeRegistration* request,
                                                   NodeConfig* response) {
  const NodeRegistration read = PublicFormat::Get().AsRead(*request);
  absl::MutexLock lock(&mutex_);
  size_t id = 0;
  while (id < nodes_.size() && nodes_[id].service_address() != read.service_address()) ++id;
  if (id == nodes_.size()) nodes_.push_back(read);
  response->set_node_id(static_cast<int32_t>(id));
  response->set_node_alias(absl::StrCat("node", id));
  return grpc::Status::OK;
}

NodeRegistration OlderSequencer::Service::registration(size_t node) const {
  absl::MutexLock lock(&mutex_);
  return nodes_.at(node);
}

std::unique_ptr<OlderSequencer::Stub> OlderSequencer::StubOf(size_t node) const {
  const std::string target = registration(node).service_address();
  return DistBenchNodeManager::NewStub(
      grpc::CreateChannel(target, grpc::InsecureChannelCredentials()));
}

absl::Status OlderSequencer::Configure(const DistributedSystemDescription& config,
                                       const OlderPlacement& placement) {
  nodes_ = placement.size();
  endpoints_.Clear();
  for (size_t node = 0; node < nodes_; ++node) {
    NodeServiceConfig request;
    *request.mutable_traffic_config() = config;
    for (const std::string& instance : placement[node]) request.add_services(instance);
    ASSIGN_OR_RETURN(const ServiceEndpointMap answer,
                     Call(node, &Stub::ConfigureNode, request, kPrepareTimeout));
    endpoints_.MergeFrom(answer);
  }
  return absl::OkStatus();
}

absl::Status OlderSequencer::Introduce() {
  for (size_t node = 0; node < nodes_; ++node) {
    RETURN_IF_ERROR(Call(node, &Stub::IntroducePeers, endpoints_, kPrepareTimeout).status());
  }
  return absl::OkStatus();
}

absl::Status OlderSequencer::RunTraffic(absl::Duration test_timeout) {
  RunTrafficRequest request;
  request.set_start_timestamp_ns(absl::GetCurrentTimeNanos());
  std::vector<absl::Status> ends(nodes_);
  std::vector<std::thread> threads;
  for (size_t node = 0; node < nodes_; ++node) {
    threads.emplace_back(
        [&, node] { ends[node] = Call(node, &Stub::RunTraffic, request, test_timeout).status(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& end : ends) RETURN_IF_ERROR(end);
  return absl::OkStatus();
}

absl::Status OlderSequencer::CancelTraffic() {
  for (size_t node = 0; node < nodes_; ++node) {
    RETURN_IF_ERROR(
        Call(node, &Stub::CancelTraffic, CancelTrafficRequest(), kPrepareTimeout).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GetTrafficResultResponse>> OlderSequencer::GetResults() {
  GetTrafficResultRequest request;
  request.set_clear_services(true);
  std::vector<GetTrafficResultResponse> results;
  for (size_t node = 0; node < nodes_; ++node) {
    ASSIGN_OR_RETURN(results.emplace_back(),
                     Call(node, &Stub::GetTrafficResult, request, kResultTimeout));
  }
  return results;
}

absl::Status OlderSequencer::Shutdown() {
  for (size_t node = 0; node < nodes_; ++node) {
    RETURN_IF_ERROR(
        Call(node, &Stub::ShutdownNode, ShutdownNodeRequest(), kPrepareTimeout).status());
  }
  return absl::OkStatus();
}

}  // namespace distbench
