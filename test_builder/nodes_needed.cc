#include "test_builder/nodes_needed.h"

#include <variant>

#include "distbench/config/grid_shape.h"

namespace distbench {

int64_t NodesNeeded(const DistributedSystemDescription& test) {
  int64_t nodes = 0;
  for (const ServiceSpec& service : test.services()) {
    const auto shape = ShapeOf(service);
    if (const auto* grid = std::get_if<GridShape>(&shape))
      nodes += static_cast<int64_t>(grid->count);
  }
  for (const auto& [node, bundle] : test.node_service_bundles()) {
    if (bundle.services_size() > 0) nodes -= bundle.services_size() - 1;
  }
  return nodes;
}

}  // namespace distbench
