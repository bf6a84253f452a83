#include "distbench/sequencer/endpoints.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

void AddAttribute(const char* name, size_t value, ServiceEndpoint& endpoint) {
  Attribute& attribute = *endpoint.add_attributes();
  attribute.set_name(name);
  attribute.set_value(absl::StrCat(value));
}

void AddPosition(const Plan& plan, InstanceIndex instance, ServiceEndpoint& endpoint) {
  const ServicePlan& service = plan.services[plan.instances[instance].service];
  const size_t rank = plan.instances[instance].rank;
  if (service.dimensions == 1) {
    AddAttribute("index", rank, endpoint);
    return;
  }
  AddAttribute("x_index", rank % service.x_size, endpoint);
  AddAttribute("y_index", rank / service.x_size % service.y_size, endpoint);
  if (service.dimensions == 3) {
    AddAttribute("z_index", rank / service.x_size / service.y_size, endpoint);
  }
}

absl::Status CheckAnswer(const Plan& plan, const Participant& participant,
                         const ServiceEndpointMap& answer) {
  for (InstanceIndex instance : participant.instances) {
    const std::string& name = plan.instances[instance].name;
    const auto found = answer.service_endpoints().find(name);
    if (found == answer.service_endpoints().end() || found->second.endpoint_address().empty()) {
      return absl::InternalError(
          absl::StrCat("its answer to ConfigureNode has no address for instance ", Quoted(name)));
    }
  }
  if (answer.service_endpoints().size() != participant.instances.size()) {
    return absl::InternalError(absl::StrCat(
        "its answer to ConfigureNode has ", answer.service_endpoints().size(),
        " instances, of which it was asked for ", participant.instances.size(), " only"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddEndpoints(const Plan& plan, const Participant& participant,
                          ServiceEndpointMap answer, ServiceEndpointMap& all) {
  RETURN_IF_ERROR(CheckAnswer(plan, participant, answer));
  const NodeRegistration& node = participant.node->registration;
  for (InstanceIndex instance : participant.instances) {
    const std::string& name = plan.instances[instance].name;
    ServiceEndpoint& endpoint = (*answer.mutable_service_endpoints())[name];
    if (endpoint.hostname().empty()) endpoint.set_hostname(node.hostname());
    *endpoint.mutable_attributes() = node.attributes();
    AddPosition(plan, instance, endpoint);
    (*all.mutable_service_endpoints())[name] = std::move(endpoint);
  }
  return absl::OkStatus();
}

ServiceEndpointMap EndpointsCalledBy(const Plan& plan, const std::vector<InstanceIndex>& instances,
                                     const ServiceEndpointMap& all) {
  std::set<ServiceIndex> called;
  for (InstanceIndex instance : instances) {
    const ServicePlan& service = plan.services[plan.instances[instance].service];
    called.insert(service.called.begin(), service.called.end());
    // All instances: who is a member may depend on their attributes.
    for (const ChannelIndex channel : service.channels) {
      called.insert(plan.channels[channel].server);
    }
  }
  ServiceEndpointMap needed;
  for (ServiceIndex index : called) {
    const ServicePlan& service = plan.services[index];
    for (size_t rank = 0; rank < service.count; ++rank) {
      const std::string& name = plan.instances[InstanceIndex(service.first.value() + rank)].name;
      const auto endpoint = all.service_endpoints().find(name);
      if (endpoint == all.service_endpoints().end()) continue;
      (*needed.mutable_service_endpoints())[name] = endpoint->second;
    }
  }
  return needed;
}

}  // namespace distbench
