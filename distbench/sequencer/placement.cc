#include "distbench/sequencer/placement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "distbench/config/constraints.h"
#include "distbench/sequencer/matching.h"
#include "distbench/sequencer/placement_problems.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

class Placer {
 public:
  Placer(const Plan& plan, const PlacementNodes& nodes)
      : plan_(plan), nodes_(nodes), node_of_(plan.instances.size()), busy_(nodes.usable.size()) {}

  void PlaceBundles(const DistributedSystemDescription& config) {
    // A map of protobuf has no order of its own; problems shall always come in the same one.
    std::map<std::string, const ServiceBundle*> bundles;
    for (const auto& [alias, bundle] : config.node_service_bundles()) bundles[alias] = &bundle;
    for (const auto& [alias, bundle] : bundles) PlaceBundle(alias, *bundle);
  }

  void PlaceConstrained() {
    std::vector<InstanceIndex> seekers;
    NodeChoices choices = {.nodes = busy_.size(), .of = {}};
    for (InstanceIndex instance : Waiting()) {
      if (RequirementOf(instance) == nullptr) continue;
      seekers.push_back(instance);
      choices.of.push_back(FreeNodesFor(*RequirementOf(instance)));
    }
    const Matching matching = MaximumMatching(choices, GreedyMatching(choices));
    for (size_t s = 0; s < seekers.size(); ++s) {
      if (matching.node_of[SeekerIndex(s)].has_value()) {
        Place(seekers[s], *matching.node_of[SeekerIndex(s)]);
      } else if (!competition_.has_value()) {
        competition_ = Named(CompetitionOf(choices, matching, SeekerIndex(s)), seekers);
      }
    }
  }

  void PlaceTheRest() {
    const std::vector<NodeIndex> free = FreeNodes();
    size_t next = 0;
    for (InstanceIndex instance : Waiting()) {
      if (RequirementOf(instance) == nullptr && next < free.size()) Place(instance, free[next++]);
    }
    if (!competition_.has_value()) competition_ = CompetitionForAll();
  }

  absl::StatusOr<Placement> Finish() {
    if (competition_.has_value()) {
      competition_->unplaced = Waiting();
      competition_->bundle_nodes = bundle_nodes_;
      for (std::string& line : DescribeUnplaced(*competition_, plan_, nodes_)) {
        problems_.push_back(std::move(line));
      }
    }
    if (!problems_.empty()) {
      return absl::FailedPreconditionError(absl::StrJoin(problems_, "\n"));
    }
    Placement placement(node_of_.size());
    for (size_t i = 0; i < node_of_.size(); ++i) {
      placement[InstanceIndex(i)] = *node_of_[InstanceIndex(i)];
    }
    return placement;
  }

 private:
  void PlaceBundle(const std::string& alias, const ServiceBundle& bundle) {
    if (bundle.services().empty()) return;
    const auto node = std::find_if(nodes_.usable.begin(), nodes_.usable.end(),
                                   [&](const PlacementNode& n) { return n.alias == alias; });
    const bool is_usable = node != nodes_.usable.end();
    if (!is_usable) problems_.push_back(DescribeMissingNode(alias, bundle, nodes_));
    for (const std::string& name : bundle.services()) {
      const auto instance = plan_.instance_by_name.find(name);
      if (instance == plan_.instance_by_name.end()) continue;
      bundled_.insert(instance->second);
      if (is_usable) Place(instance->second, NodeIndex(node - nodes_.usable.begin()));
    }
    if (is_usable) bundle_nodes_.push_back(NodeIndex(node - nodes_.usable.begin()));
  }

  void Place(InstanceIndex instance, NodeIndex node) {
    node_of_[instance] = node;
    busy_[node] = true;
  }

  const NodeRequirement* RequirementOf(InstanceIndex instance) const {
    return plan_.node_requirements.empty() ? nullptr : plan_.node_requirements[instance].get();
  }

  // Instances without a node that no bundle names.
  std::vector<InstanceIndex> Waiting() const {
    std::vector<InstanceIndex> waiting;
    for (size_t i = 0; i < node_of_.size(); ++i) {
      const InstanceIndex instance(i);
      if (!node_of_[instance].has_value() && !bundled_.contains(instance)) {
        waiting.push_back(instance);
      }
    }
    return waiting;
  }

  std::vector<NodeIndex> FreeNodes() const {
    std::vector<NodeIndex> free;
    for (size_t n = 0; n < busy_.size(); ++n) {
      if (!busy_[NodeIndex(n)]) free.push_back(NodeIndex(n));
    }
    return free;
  }

  absl::Span<const NodeIndex> FreeNodesFor(const NodeRequirement& requirement) {
    const auto [known, is_new] = satisfying_.try_emplace(&requirement);
    std::vector<NodeIndex>& satisfying = known->second;
    if (is_new) {
      const AttributeFilter filter(*requirement.constraints);
      for (NodeIndex node : FreeNodes()) {
        if (filter.Passes(nodes_.usable[node].attributes)) satisfying.push_back(node);
      }
    }
    return satisfying;
  }

  static UnplacedInstances Named(const Competition& competition,
                                 const std::vector<InstanceIndex>& seekers) {
    UnplacedInstances named;
    named.contested = competition.nodes;
    for (SeekerIndex seeker : competition.seekers) {
      named.competitors.push_back(seekers[seeker.value()]);
    }
    return named;
  }

  // Once all that have requirements are placed: whoever has none competes with all that no bundle
  // places, for all nodes that bundles left. None if everybody has a node.
  std::optional<UnplacedInstances> CompetitionForAll() const {
    const std::vector<InstanceIndex> waiting = Waiting();
    if (waiting.empty()) return std::nullopt;
    UnplacedInstances all;
    for (size_t i = 0; i < node_of_.size(); ++i) {
      const InstanceIndex instance(i);
      if (bundled_.contains(instance)) continue;
      if (node_of_[instance].has_value()) all.contested.push_back(*node_of_[instance]);
      if (node_of_[instance].has_value() || instance == waiting.front()) {
        all.competitors.push_back(instance);
      }
    }
    std::sort(all.contested.begin(), all.contested.end());
    return all;
  }

  const Plan& plan_;
  const PlacementNodes& nodes_;
  IndexedVector<InstanceIndex, std::optional<NodeIndex>> node_of_;
  IndexedVector<NodeIndex, bool> busy_;
  absl::flat_hash_set<InstanceIndex> bundled_;  // that some bundle names
  std::vector<NodeIndex> bundle_nodes_;         // that host a bundle
  // The free nodes that satisfy a requirement, found once. Matching borrows them: a vector keeps
  // its elements where they are when the map moves it.
  absl::flat_hash_map<const NodeRequirement*, std::vector<NodeIndex>> satisfying_;
  std::optional<UnplacedInstances> competition_;  // the first that somebody lost
  std::vector<std::string> problems_;
};

}  // namespace

absl::StatusOr<Placement> PlaceInstances(const Plan& plan,
                                         const DistributedSystemDescription& config,
                                         const PlacementNodes& nodes) {
  Placer placer(plan, nodes);
  placer.PlaceBundles(config);
  placer.PlaceConstrained();
  placer.PlaceTheRest();
  return placer.Finish();
}

}  // namespace distbench
