// What a person is told where instances find no node. Pure.
#ifndef DISTBENCH_SEQUENCER_PLACEMENT_PROBLEMS_H_
#define DISTBENCH_SEQUENCER_PLACEMENT_PROBLEMS_H_

#include <string>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/node_index.h"
#include "distbench/sequencer/placement.h"

namespace distbench {

class ServiceBundle;

// A bundle of a node that cannot host it, as it does not answer or is not registered.
std::string DescribeMissingNode(const std::string& alias, const ServiceBundle& bundle,
                                const PlacementNodes& nodes);

struct UnplacedInstances {
  std::vector<InstanceIndex> unplaced;  // not empty; ascending
  // The competition that one of them lost; see matching.h.
  std::vector<InstanceIndex> competitors;
  std::vector<NodeIndex> contested;
  std::vector<NodeIndex> bundle_nodes;  // that host what node_service_bundles says
};

// Lines about who found no node, why, and who competes for what.
std::vector<std::string> DescribeUnplaced(const UnplacedInstances& problem, const Plan& plan,
                                          const PlacementNodes& nodes);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PLACEMENT_PROBLEMS_H_
