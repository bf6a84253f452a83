#include "distbench/interop/older_node.h"

#include <algorithm>
#include <map>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/interop/public_format.h"
#include "glog/logging.h"

namespace distbench {
namespace {

using Complaints = std::vector<std::string>;

template <typename Elements>
bool Has(const Elements& elements, const std::string& name) {
  return std::any_of(elements.begin(), elements.end(),
                     [&](const auto& element) { return element.name() == name; });
}

// An older program relies on the canonical form, and on more than that.
Complaints NotCanonical(const DistributedSystemDescription& config) {
  Complaints complaints;
  for (const ServiceSpec& service : config.services()) {
    const int product = service.x_size() * service.y_size() * service.z_size();
    if (!service.has_count() || !service.has_x_size() || service.count() != product) {
      complaints.push_back(absl::StrCat("service ", service.name(), " has sizes that differ"));
    }
  }
  for (const RpcSpec& rpc : config.rpc_descriptions()) {
    const bool is_whole = !rpc.client().empty() && rpc.has_server();
    if (!is_whole || !Has(config.action_lists(), rpc.name())) {
      complaints.push_back(absl::StrCat("RPC ", rpc.name(), " lacks client, server or list"));
    }
  }
  for (const ActionList& list : config.action_lists()) {
    const auto& names = list.action_names();
    for (const Action& action : config.actions()) {
      const auto place = std::find(names.begin(), names.end(), action.name());
      if (place == names.end()) continue;
      for (const std::string& dependency : action.dependencies()) {
        if (std::find(names.begin(), place, dependency) != place) continue;
        complaints.push_back(absl::StrCat(action.name(), " comes before ", dependency));
      }
    }
  }
  return complaints;
}

Complaints WrongPeers(const DistributedSystemDescription& config, const ServiceEndpointMap& peers) {
  Complaints complaints;
  size_t instances = 0;
  for (const ServiceSpec& service : config.services()) {
    instances += static_cast<size_t>(service.count());
  }
  if (peers.service_endpoints().size() != instances) {
    complaints.push_back(
        absl::StrCat(peers.service_endpoints().size(), " peers of ", instances, " instances"));
  }
  for (const auto& [name, endpoint] : peers.service_endpoints()) {
    const bool is_numeric = absl::StartsWith(endpoint.endpoint_address(), "127.0.0.1:");
    if (is_numeric && Has(endpoint.attributes(), "index")) continue;
    complaints.push_back(absl::StrCat(name, " at ", endpoint.ShortDebugString()));
  }
  return complaints;
}

}  // namespace

OlderNode::OlderNode(uint16_t sequencer_port) {
  NodeRegistration registration;
  registration.set_hostname("older");
  registration.set_control_ip("127.0.0.1");
  registration.set_control_port(server_.port());
  registration.set_service_address(absl::StrCat("dns:///", server_.address()));
  Attribute& attribute = *registration.add_attributes();
  attribute.set_name("age");
  attribute.set_value("old");
  grpc::ClientContext context;
  SetLongDeadline(context);
  NodeConfig config;
  const auto channel = PlainChannel(absl::StrCat("127.0.0.1:", sequencer_port));
  const grpc::Status status =
      DistBenchTestSequencer::NewStub(channel)->RegisterNode(&context, registration, &config);
  CHECK(status.ok()) << status.error_message();
  alias_ = PublicFormat::Get().AsRead(config).node_alias();
  service_.SetAlias(alias_);
}

void OlderNode::Service::Note(const char* method, const google::protobuf::Message& request) {
  const Complaints unknown = PublicFormat::Get().Unknown(request);
  absl::MutexLock lock(&mutex_);
  calls_.push_back(method);
  for (const std::string& field : unknown) {
    complaints_.push_back(absl::StrCat(method, " with ", field));
  }
}

void OlderNode::Service::Complain(Complaints complaints) {
  absl::MutexLock lock(&mutex_);
  complaints_.insert(complaints_.end(), complaints.begin(), complaints.end());
}

OlderNode::Service::Engines OlderNode::Service::engines() const {
  absl::MutexLock lock(&mutex_);
  return engines_;
}

grpc::Status OlderNode::Service::ConfigureNode(grpc::ServerContext*,
                                               const NodeServiceConfig* request,
                                               ServiceEndpointMap* response) {
  Note("ConfigureNode", *request);
  Complain(NotCanonical(request->traffic_config()));
  Engines engines;
  for (const std::string& instance : request->services()) {
    engines.push_back(std::make_shared<OlderEngine>(request->traffic_config(), instance));
    (*response->mutable_service_endpoints())[instance].set_endpoint_address(
        engines.back()->endpoint_address());
  }
  absl::MutexLock lock(&mutex_);
  config_ = request->traffic_config();
  engines_ = engines;
  return grpc::Status::OK;
}

grpc::Status OlderNode::Service::IntroducePeers(grpc::ServerContext*,
                                                const ServiceEndpointMap* request,
                                                IntroducePeersResult*) {
  Note("IntroducePeers", *request);
  DistributedSystemDescription config;
  {
    absl::MutexLock lock(&mutex_);
    config = config_;
  }
  Complain(WrongPeers(config, *request));
  for (const auto& engine : engines()) {
    const grpc::Status status = engine->Connect(*request);
    if (!status.ok()) return status;
  }
  return grpc::Status::OK;
}

grpc::Status OlderNode::Service::RunTraffic(grpc::ServerContext*, const RunTrafficRequest* request,
                                            RunTrafficResponse*) {
  Note("RunTraffic", *request);
  if (!request->has_start_timestamp_ns()) Complain({"RunTraffic without start_timestamp_ns"});
  std::vector<std::thread> threads;
  for (const auto& engine : engines()) threads.emplace_back([engine] { engine->RunMainList(); });
  for (std::thread& thread : threads) thread.join();
  return grpc::Status::OK;
}

grpc::Status OlderNode::Service::GetTrafficResult(grpc::ServerContext*,
                                                  const GetTrafficResultRequest* request,
                                                  GetTrafficResultResponse* response) {
  Note("GetTrafficResult", *request);
  for (const auto& engine : engines()) {
    Complain(engine->complaints());
    const ServicePerformanceLog log = engine->log();
    if (log.peer_logs().empty()) continue;
    (*response->mutable_service_logs()->mutable_instance_logs())[engine->instance()] = log;
  }
  absl::MutexLock lock(&mutex_);
  RUsageStats& usage = (*response->mutable_node_usages())[alias_];
  usage.mutable_rusage_diff()->set_user_cpu_time_seconds(0.5);
  if (request->clear_services()) engines_.clear();
  return grpc::Status::OK;
}

grpc::Status OlderNode::Service::CancelTraffic(grpc::ServerContext*,
                                               const CancelTrafficRequest* request,
                                               CancelTrafficResult*) {
  Note("CancelTraffic", *request);
  for (const auto& engine : engines()) engine->Cancel();
  return grpc::Status::OK;
}

grpc::Status OlderNode::Service::ShutdownNode(grpc::ServerContext*,
                                              const ShutdownNodeRequest* request,
                                              ShutdownNodeResult*) {
  Note("ShutdownNode", *request);
  return grpc::Status::OK;
}

void OlderNode::Service::SetAlias(const std::string& alias) {
  absl::MutexLock lock(&mutex_);
  alias_ = alias;
}

std::vector<std::string> OlderNode::Service::calls() const {
  absl::MutexLock lock(&mutex_);
  return calls_;
}

std::vector<std::string> OlderNode::Service::complaints() const {
  absl::MutexLock lock(&mutex_);
  return complaints_;
}

}  // namespace distbench
