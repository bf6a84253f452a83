#include "distbench/node/peers_to_introduce.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/attributes.h"
#include "distbench/config/constraints.h"
#include "distbench/engine/fanout.h"
#include "distbench/engine/replay_schedule.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

InstanceIndex InstanceOf(const Plan& plan, ServiceIndex service, size_t rank) {
  return InstanceIndex(plan.services[service].first.value() + rank);
}

absl::StatusOr<const ServiceEndpoint*> FindEndpoint(const Plan& plan, InstanceIndex peer,
                                                    InstanceIndex self,
                                                    const ServiceEndpointMap& endpoints) {
  const std::string& name = plan.instances[peer].name;
  const auto found = endpoints.service_endpoints().find(name);
  if (found != endpoints.service_endpoints().end()) return &found->second;
  return absl::InvalidArgumentError(
      absl::StrCat("service_endpoints: no entry for '", name, "', to which ",
                   plan.instances[self].name, " sends; introduce every instance that is called"));
}

}  // namespace

// Along a grid these are few, however large the service is.
absl::StatusOr<std::vector<PeerEndpoint>> PeersCalledBy(const Plan& plan, InstanceIndex self,
                                                        const ServiceEndpointMap& endpoints) {
  const ServiceIndex own = plan.instances[self].service;
  const std::vector<ServiceIndex>& called = plan.services[own].called;
  std::set<InstanceIndex> peers;
  for (size_t i = 0; i < plan.rpcs.size(); ++i) {
    const RpcPlan& rpc = plan.rpcs[RpcIndex(i)];
    const bool is_client =
        std::find(rpc.clients.begin(), rpc.clients.end(), own) != rpc.clients.end();
    const bool is_sent = std::binary_search(called.begin(), called.end(), rpc.server);
    if (!is_client || !is_sent || rpc.channel) continue;
    const CandidateTargets candidates(plan, RpcIndex(i), self);
    for (size_t k = 0; k < candidates.count(); ++k) peers.insert(candidates.at(k));
  }
  for (const InstanceIndex peer : ReplayTargets(plan, self)) {
    const ServiceIndex server = plan.instances[peer].service;
    if (std::binary_search(called.begin(), called.end(), server)) peers.insert(peer);
  }
  std::vector<PeerEndpoint> found;
  for (const InstanceIndex peer : peers) {
    ASSIGN_OR_RETURN(const ServiceEndpoint* endpoint, FindEndpoint(plan, peer, self, endpoints));
    found.push_back({.peer = peer, .address = endpoint->endpoint_address()});
  }
  return found;
}

absl::StatusOr<std::vector<PeerEndpoint>> MembersOf(const Plan& plan, ChannelIndex channel,
                                                    InstanceIndex self,
                                                    const ServiceEndpointMap& endpoints) {
  const ChannelPlan& channel_plan = plan.channels[channel];
  std::vector<PeerEndpoint> members;
  const auto add = [&](size_t rank, const AttributeFilter* filter) {
    const InstanceIndex peer = InstanceOf(plan, channel_plan.server, rank);
    const auto endpoint = FindEndpoint(plan, peer, self, endpoints);
    if (!endpoint.ok()) return endpoint.status();
    if (filter == nullptr || filter->Passes(Attributes((*endpoint)->attributes()))) {
      members.push_back({.peer = peer, .address = (*endpoint)->endpoint_address()});
    }
    return absl::OkStatus();
  };
  if (!channel_plan.members.empty()) {
    for (const size_t rank : channel_plan.members) RETURN_IF_ERROR(add(rank, nullptr));
    return members;
  }
  const ConstraintList& constraints = channel_plan.config->constraints();
  const AttributeFilter filter(constraints);
  const ServicePlan& server = plan.services[channel_plan.server];
  for (size_t rank = 0; rank < server.count; ++rank) RETURN_IF_ERROR(add(rank, &filter));
  if (!members.empty()) return members;
  return absl::FailedPreconditionError(absl::StrCat(
      "no instance of '", server.name, "' satisfies the constraints of its channel '",
      channel_plan.name, "', on which ", plan.instances[self].name, " sends: ",
      Describe(constraints), "; give nodes such attributes, or change the constraints"));
}

}  // namespace distbench
