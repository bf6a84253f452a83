#include "distbench/interop/older_engine.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/interop/public_format.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// Fills the message with a payload up to its size, as far as a payload can.
void PadTo(int64_t size, GenericRequestResponse& message) {
  const int64_t room = size - static_cast<int64_t>(message.ByteSizeLong());
  if (room < 2) return;
  message.set_payload(std::string(static_cast<size_t>(room), 'x'));
  while (static_cast<int64_t>(message.ByteSizeLong()) > size) message.mutable_payload()->pop_back();
}

}  // namespace

grpc::Status OlderSetup::SetupConnection(grpc::ServerContext*, const ConnectRequest* request,
                                         ConnectResponse* response) {
  if (!request->has_initiator_info() || !request->initiator_info().empty()) {
    is_asked_rightly_ = false;
  }
  ServerAddress address;
  address.set_ip_address("127.0.0.1");
  address.set_socket_address(socket_address_);
  response->set_responder_info(address.SerializeAsString());
  return grpc::Status::OK;
}

OlderEngine::OlderEngine(const DistributedSystemDescription& config, std::string instance)
    : config_(config), instance_(std::move(instance)) {
  absl::MutexLock lock(&mutex_);
  log_.mutable_error_dictionary()->add_error_message("");
}

// --- Server

grpc::Status OlderEngine::Traffic::GenericRpc(grpc::ServerContext*,
                                              const GenericRequestResponse* request,
                                              GenericRequestResponse* response) {
  ++served_;
  const auto& rpcs = engine_->config_.rpc_descriptions();
  std::vector<std::string> complaints = PublicFormat::Get().Unknown(*request);
  if (!request->has_warmup()) complaints.push_back("a request without warmup");
  const bool is_known =
      request->has_rpc_index() && request->rpc_index() >= 0 && request->rpc_index() < rpcs.size();
  if (!is_known) complaints.push_back("a request without rpc_index, or with one out of range");
  {
    absl::MutexLock lock(&mutex_);
    complaints_.insert(complaints_.end(), complaints.begin(), complaints.end());
  }
  response->set_warmup(request->warmup());
  if (!is_known) {
    response->set_error_message(absl::StrCat("rpc_index out of range: ", request->rpc_index()));
    return grpc::Status::OK;
  }
  const RpcSpec& rpc = rpcs[request->rpc_index()];
  PadTo(request->has_response_payload_size()
            ? request->response_payload_size()
            : engine_->PayloadSize(rpc.response_payload_name(), 32),
        *response);
  return grpc::Status::OK;
}

std::vector<std::string> OlderEngine::Traffic::complaints() const {
  absl::MutexLock lock(&mutex_);
  return complaints_;
}

std::vector<std::string> OlderEngine::complaints() const {
  std::vector<std::string> complaints = traffic_.complaints();
  if (!setup_.is_asked_rightly()) {
    complaints.push_back("SetupConnection without an empty initiator_info");
  }
  return complaints;
}

int64_t OlderEngine::PayloadSize(const std::string& payload, int64_t absent) const {
  for (const PayloadSpec& spec : config_.payload_descriptions()) {
    if (spec.name() == payload) return spec.size();
  }
  return absent;
}

// --- Client

std::vector<std::string> OlderEngine::InstancesOf(const std::string& service) const {
  std::vector<std::string> instances;
  for (const ServiceSpec& spec : config_.services()) {
    for (int i = 0; spec.name() == service && i < spec.count(); ++i) {
      instances.push_back(absl::StrCat(service, "/", i));
    }
  }
  std::erase(instances, instance_);
  return instances;
}

grpc::Status OlderEngine::Connect(const ServiceEndpointMap& peers) {
  for (const RpcSpec& rpc : config_.rpc_descriptions()) {
    if (std::find(rpc.client().begin(), rpc.client().end(), service()) == rpc.client().end()) {
      continue;
    }
    for (const std::string& peer : InstancesOf(rpc.server())) {
      const std::string& endpoint = peers.service_endpoints().at(peer).endpoint_address();
      grpc::ClientContext context;
      SetLongDeadline(context);
      ConnectRequest request;
      request.set_initiator_info("");
      ConnectResponse response;
      const grpc::Status status = ConnectionSetup::NewStub(PlainChannel(endpoint))
                                      ->SetupConnection(&context, request, &response);
      if (!status.ok()) return status;
      ServerAddress address;
      CHECK(address.ParseFromString(response.responder_info()));
      peers_[peer] = distbench::Traffic::NewStub(PlainChannel(address.socket_address()));
    }
  }
  return grpc::Status::OK;
}

void OlderEngine::RunMainList() {
  for (const ActionList& list : config_.action_lists()) {
    if (list.name() != service()) continue;
    for (const std::string& name : list.action_names()) {
      for (const Action& action : config_.actions()) {
        if (action.name() == name) RunAction(action);
      }
    }
  }
}

void OlderEngine::RunAction(const Action& action) {
  const int iterations = action.has_iterations() ? action.iterations().max_iteration_count() : 1;
  for (int index = 0; index < config_.rpc_descriptions_size(); ++index) {
    const RpcSpec& rpc = config_.rpc_descriptions(index);
    if (rpc.name() != action.rpc_name()) continue;
    for (int i = 0; i < iterations && !is_cancelled_; ++i) {
      for (const std::string& peer : InstancesOf(rpc.server())) Send(index, peer);
    }
  }
}

void OlderEngine::Send(int rpc_index, const std::string& peer) {
  GenericRequestResponse request;
  request.set_rpc_index(rpc_index);
  request.set_warmup(false);
  PadTo(PayloadSize(config_.rpc_descriptions(rpc_index).request_payload_name(), 16), request);
  grpc::ClientContext context;  // without a deadline
  GenericRequestResponse response;
  const int64_t start_ns = absl::GetCurrentTimeNanos();
  const grpc::Status status = peers_.at(peer)->GenericRpc(&context, request, &response);
  RpcSample sample;
  sample.set_start_timestamp_ns(start_ns);
  sample.set_latency_ns(absl::GetCurrentTimeNanos() - start_ns);
  sample.set_request_size(static_cast<int64_t>(request.ByteSizeLong()));
  sample.set_response_size(static_cast<int64_t>(response.ByteSizeLong()));
  if (!status.ok()) response.set_error_message(status.error_message());
  Record(rpc_index, peer, response, sample);
}

void OlderEngine::Record(int rpc_index, const std::string& peer,
                         const GenericRequestResponse& response, const RpcSample& sample) {
  absl::MutexLock lock(&mutex_);
  RpcPerformanceLog& log = (*(*log_.mutable_peer_logs())[peer].mutable_rpc_logs())[rpc_index];
  if (response.error_message().empty()) {
    *log.add_successful_rpc_samples() = sample;
    return;
  }
  auto& errors = *log_.mutable_error_dictionary()->mutable_error_message();
  RpcSample& failed = *log.add_failed_rpc_samples();
  failed = sample;
  failed.set_error_index(errors.size());
  *errors.Add() = response.error_message();
}

ServicePerformanceLog OlderEngine::log() const {
  absl::MutexLock lock(&mutex_);
  return log_;
}

}  // namespace distbench
