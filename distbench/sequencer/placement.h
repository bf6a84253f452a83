// Placement: which node hosts which instance of a test.
//
//   1. node_service_bundles, as written;
//   2. in order, the instances that the config requires something of their node for
//      (service_constraints), each on the first node that satisfies it;
//   3. the other instances in order, each on the first node.
//
// In 2 and 3 a node must host nothing yet, and then hosts that one instance alone. Where 2 leaves
// somebody without a node although another choice would not, those of 2 are placed by a maximum
// matching that begins with that choice and changes what it must (matching.h). That suffices: those
// of 3 are content with any node, so that only the number of nodes that are left counts. So an
// assignment is found wherever there is one.
//
// Pure.
#ifndef DISTBENCH_SEQUENCER_PLACEMENT_H_
#define DISTBENCH_SEQUENCER_PLACEMENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "distbench/base/indices.h"
#include "distbench/config/attributes.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/node_index.h"

namespace distbench {

class DistributedSystemDescription;

struct PlacementNode {
  std::string alias;
  Attributes attributes;
};

struct PlacementNodes {
  IndexedVector<NodeIndex, PlacementNode> usable;  // that may host instances
  std::vector<PlacementNode> silent;               // registered, but they do not answer
};

using Placement = IndexedVector<InstanceIndex, NodeIndex>;

// `plan` is that of `config`. The error lists every instance that found no place, and why, and
// names instances that compete for too few nodes, none of them superfluous: without any one of them
// there would be a node for each of the others.
absl::StatusOr<Placement> PlaceInstances(const Plan& plan,
                                         const DistributedSystemDescription& config,
                                         const PlacementNodes& nodes);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PLACEMENT_H_
