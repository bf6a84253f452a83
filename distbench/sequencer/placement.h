// Placement: which node hosts which instance of a test.
//
//   1. node_service_bundles, as written;
//   2. the other instances in order, one a node, on nodes that host none yet, in order.
//
// Pure.
#ifndef DISTBENCH_SEQUENCER_PLACEMENT_H_
#define DISTBENCH_SEQUENCER_PLACEMENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/node_index.h"

namespace distbench {

class DistributedSystemDescription;

struct PlacementNodes {
  IndexedVector<NodeIndex, std::string> usable;  // aliases of the nodes that may host instances
  std::vector<std::string> silent;               // aliases of registered nodes that do not answer
};

using Placement = IndexedVector<InstanceIndex, NodeIndex>;

// `plan` is that of `config`. The error lists every instance that found no place, and why.
absl::StatusOr<Placement> PlaceInstances(const Plan& plan,
                                         const DistributedSystemDescription& config,
                                         const PlacementNodes& nodes);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PLACEMENT_H_
