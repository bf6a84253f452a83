#include "distbench/sequencer/placement.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr size_t kMaxNamesShown = 1000;

std::string NameList(std::vector<std::string> names) {
  if (names.empty()) return "none";
  const size_t shown = std::min(names.size(), kMaxNamesShown);
  const size_t left_out = names.size() - shown;
  names.resize(shown);
  return absl::StrCat(absl::StrJoin(names, ", "),
                      left_out > 0 ? absl::StrCat(" and ", left_out, " more") : "");
}

// "1 node", "2 nodes".
std::string Counted(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

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

  void PlaceTheRest() {
    size_t next = 0;
    for (size_t i = 0; i < node_of_.size(); ++i) {
      const InstanceIndex instance(i);
      if (node_of_[instance].has_value() || bundled_.contains(plan_.instances[instance].name))
        continue;
      while (next < busy_.size() && busy_[NodeIndex(next)]) ++next;
      if (next == busy_.size()) {
        homeless_.push_back(plan_.instances[instance].name);
      } else {
        node_of_[instance] = NodeIndex(next++);
      }
    }
  }

  absl::StatusOr<Placement> Finish() {
    if (!homeless_.empty()) problems_.push_back(DescribeHomeless());
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
    const std::optional<NodeIndex> node = FindNode(alias);
    for (const std::string& name : bundle.services()) {
      bundled_.insert(name);
      const auto instance = plan_.instance_by_name.find(name);
      if (node.has_value() && instance != plan_.instance_by_name.end()) {
        node_of_[instance->second] = *node;
        busy_[*node] = 1;
      }
    }
    if (!node.has_value()) problems_.push_back(DescribeMissingNode(alias, bundle));
  }

  std::optional<NodeIndex> FindNode(const std::string& alias) const {
    const auto found = std::find(nodes_.usable.begin(), nodes_.usable.end(), alias);
    if (found == nodes_.usable.end()) return std::nullopt;
    return NodeIndex(found - nodes_.usable.begin());
  }

  std::string DescribeMissingNode(const std::string& alias, const ServiceBundle& bundle) const {
    const bool silent =
        std::find(nodes_.silent.begin(), nodes_.silent.end(), alias) != nodes_.silent.end();
    const std::vector<std::string> names(bundle.services().begin(), bundle.services().end());
    const std::string others =
        nodes_.usable.size() == 0
            ? ""
            : absl::StrCat(" or name one of: ", NameList(nodes_.usable.items()));
    return absl::StrCat("node_service_bundles[", alias, "] places ", NameList(names), " on ", alias,
                        silent
                            ? ", which is registered but does not answer; restart its node manager"
                            : ", which is not registered; start a node manager of that name",
                        others);
  }

  std::string DescribeHomeless() const {
    return absl::StrCat(homeless_.size(), " of ", plan_.instances.size(),
                        " instances found no node: ", NameList(homeless_), ". ", DescribeNodes(),
                        "; a node hosts one instance unless told otherwise. Start ",
                        Counted(homeless_.size(), "more node manager"),
                        nodes_.silent.empty() ? "" : ", restart those that do not answer,",
                        " or put several instances on a node by node_service_bundles");
  }

  // "3 nodes are registered, of which 2 do not answer: node1, node2"
  std::string DescribeNodes() const {
    const size_t registered = nodes_.usable.size() + nodes_.silent.size();
    if (registered == 0) return "No node is registered";
    std::string text =
        absl::StrCat(Counted(registered, "node"), registered == 1 ? " is" : " are", " registered");
    if (!nodes_.silent.empty()) {
      absl::StrAppend(&text, ", of which ", nodes_.silent.size(),
                      nodes_.silent.size() == 1 ? " does" : " do",
                      " not answer: ", NameList(nodes_.silent));
    }
    return text;
  }

  const Plan& plan_;
  const PlacementNodes& nodes_;
  IndexedVector<InstanceIndex, std::optional<NodeIndex>> node_of_;
  IndexedVector<NodeIndex, char> busy_;
  absl::flat_hash_set<std::string> bundled_;  // instances that some bundle names
  std::vector<std::string> homeless_;
  std::vector<std::string> problems_;
};

}  // namespace

absl::StatusOr<Placement> PlaceInstances(const Plan& plan,
                                         const DistributedSystemDescription& config,
                                         const PlacementNodes& nodes) {
  Placer placer(plan, nodes);
  placer.PlaceBundles(config);
  placer.PlaceTheRest();
  return placer.Finish();
}

}  // namespace distbench
