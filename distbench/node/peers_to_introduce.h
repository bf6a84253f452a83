// Whom an engine connects to, from the plan and from what its node was told of endpoints. Pure.
#ifndef DISTBENCH_NODE_PEERS_TO_INTRODUCE_H_
#define DISTBENCH_NODE_PEERS_TO_INTRODUCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"

namespace distbench {

class ServiceEndpointMap;

struct PeerEndpoint {
  InstanceIndex peer;
  std::string address;  // where its engine is asked how to reach its driver
};

// Every instance that an RPC of `self` may go to, channels aside; never itself. An error names one
// that has no endpoint.
absl::StatusOr<std::vector<PeerEndpoint>> PeersCalledBy(const Plan& plan, InstanceIndex self,
                                                        const ServiceEndpointMap& endpoints);

// The members of a channel that `self` sends on: those that are listed, or those whose attributes
// satisfy the channel's constraints. An error names a member without endpoint, or says that
// nothing satisfies the constraints, and what they are.
absl::StatusOr<std::vector<PeerEndpoint>> MembersOf(const Plan& plan, ChannelIndex channel,
                                                    InstanceIndex self,
                                                    const ServiceEndpointMap& endpoints);

}  // namespace distbench

#endif  // DISTBENCH_NODE_PEERS_TO_INTRODUCE_H_
