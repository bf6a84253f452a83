// Canonical form: the one way to write what a config says in several, made before anything else
// looks at it. In it
//
//   - a service has `count` and `x_size`, and `count` is the product of its sizes;
//   - the actions of a list stand in an order in which each comes after its dependencies. Among the
//     possible orders it is the one nearest to what was written.
//
// What is in canonical form stays as it is. Nodes of other programs rely on it.
#include "distbench/config/canonical.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "distbench/config/compiler.h"
#include "distbench/config/dependency_graph.h"
#include "distbench/config/grid_shape.h"
#include "distbench/config/reporter.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ActionsByName = absl::flat_hash_map<std::string, const Action*>;
using PlaceByName = absl::flat_hash_map<std::string, uint32_t>;  // position in one list

void CanonicalizeService(const std::string& path, ServiceSpec& service, Reporter& report) {
  const auto shape = ShapeOf(service);
  if (const auto* problem = std::get_if<ShapeProblem>(&shape)) {
    report.Error(absl::StrCat(path, ".", problem->field),
                 absl::StrCat("service ", Quoted(service.name()), ": ", problem->message));
    return;
  }
  service.set_count(static_cast<int32_t>(std::get<GridShape>(shape).count));
  if (!service.has_x_size()) service.set_x_size(service.count());
}

// Where each action of the list stands. None if one is unknown or there twice: the list is left as
// it is then, so that the compiler's report of it matches what was written.
std::optional<PlaceByName> PlacesOf(const ActionList& list, const ActionsByName& actions) {
  PlaceByName places;
  for (const std::string& name : list.action_names()) {
    if (!actions.contains(name) || !places.try_emplace(name, places.size()).second) {
      return std::nullopt;
    }
  }
  return places;
}

// Dependencies within the list; names from elsewhere are left to the compiler's report.
DependencyGraph DependenciesWithin(const ActionList& list, const ActionsByName& actions,
                                   const PlaceByName& places) {
  DependencyGraph successors(list.action_names_size());
  for (int i = 0; i < list.action_names_size(); ++i) {
    for (const std::string& dependency : actions.at(list.action_names(i))->dependencies()) {
      const auto before = places.find(dependency);
      if (before != places.end()) successors[before->second].push_back(i);
    }
  }
  return successors;
}

void SortActions(const ActionsByName& actions, ActionList& list) {
  const std::optional<PlaceByName> places = PlacesOf(list, actions);
  if (!places.has_value()) return;
  const std::vector<uint32_t> order = TopologicalOrder(DependenciesWithin(list, actions, *places));
  if (order.empty()) return;  // no actions, or a cycle, which the compiler reports
  std::vector<std::string> sorted;
  sorted.reserve(order.size());
  for (uint32_t place : order) sorted.push_back(list.action_names(place));
  list.mutable_action_names()->Assign(sorted.begin(), sorted.end());
}

}  // namespace

void CanonicalizeTest(DistributedSystemDescription& config, Reporter& report) {
  for (int i = 0; i < config.services_size(); ++i) {
    CanonicalizeService(ElementPath("services", i), *config.mutable_services(i), report);
  }
  ActionsByName actions;
  for (const Action& action : config.actions()) actions.try_emplace(action.name(), &action);
  for (ActionList& list : *config.mutable_action_lists()) SortActions(actions, list);
}

void Canonicalize(DistributedSystemDescription* config, Diagnostics* diagnostics) {
  Reporter report(config->name(), "", *diagnostics);
  CanonicalizeTest(*config, report);
}

}  // namespace distbench
