// Endpoints: where the instances of a test are, from what nodes answered to what nodes need. Pure.
#ifndef DISTBENCH_SEQUENCER_ENDPOINTS_H_
#define DISTBENCH_SEQUENCER_ENDPOINTS_H_

#include <vector>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/participant.h"

namespace distbench {

class ServiceEndpointMap;

// Moves the endpoints of a participant into `all`, with the attributes of the node and then those
// of the instance (`index`, or `x_index`, `y_index`, `z_index` where its service is a grid). An
// error, which names the instance, unless the answer has exactly the instances that the node hosts.
absl::Status AddEndpoints(const Plan& plan, const Participant& participant,
                          ServiceEndpointMap answer, ServiceEndpointMap& all);

// The part of `all` that the instances send to.
ServiceEndpointMap EndpointsCalledBy(const Plan& plan, const std::vector<InstanceIndex>& instances,
                                     const ServiceEndpointMap& all);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_ENDPOINTS_H_
