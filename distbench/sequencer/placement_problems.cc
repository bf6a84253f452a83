#include "distbench/sequencer/placement_problems.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/constraints.h"
#include "distbench/config/diagnostics.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr size_t kMaxNamesShown = 2000;
// Of nodes and requirements where there is a list for each of many.
constexpr size_t kMaxNodesShown = 50;
constexpr size_t kMaxRequirementsShown = 100;

using RequirementPointer = const NodeRequirement*;

std::string NameList(std::vector<std::string> names, size_t limit = kMaxNamesShown) {
  if (names.empty()) return "none";
  const size_t shown = std::min(names.size(), limit);
  const size_t left_out = names.size() - shown;
  names.resize(shown);
  return absl::StrCat(absl::StrJoin(names, ", "),
                      left_out > 0 ? absl::StrCat(" and ", left_out, " more") : "");
}

// "1 node", "2 nodes".
std::string Counted(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

template <typename Nodes>
std::vector<std::string> AliasesOf(const Nodes& nodes) {
  std::vector<std::string> aliases;
  for (const PlacementNode& node : nodes) aliases.push_back(node.alias);
  return aliases;
}

class UnplacedReport {
 public:
  UnplacedReport(const UnplacedInstances& problem, const Plan& plan, const PlacementNodes& nodes)
      : problem_(problem), plan_(plan), nodes_(nodes) {
    absl::flat_hash_map<RequirementPointer, size_t> positions;
    for (InstanceIndex instance : problem.unplaced) {
      const RequirementPointer requirement = RequirementOf(instance);
      if (requirement == nullptr) continue;
      const auto [known, is_new] = positions.try_emplace(requirement, requirers_.size());
      if (is_new) requirers_.push_back({requirement, {}});
      requirers_[known->second].second.push_back(instance);
    }
    for (NodeIndex node : problem.bundle_nodes) hosts_bundle_.insert(nodes.usable[node].alias);
  }

  std::vector<std::string> Lines() const {
    std::vector<std::string> lines = {DescribeAll()};
    const size_t shown = std::min(requirers_.size(), kMaxRequirementsShown);
    for (size_t i = 0; i < shown; ++i) {
      lines.push_back(DescribeRequirement(*requirers_[i].first, requirers_[i].second));
    }
    if (shown < requirers_.size()) {
      lines.push_back(absl::StrCat("and ", requirers_.size() - shown, " more requirements"));
    }
    lines.push_back(DescribeCompetition());
    return lines;
  }

 private:
  RequirementPointer RequirementOf(InstanceIndex instance) const {
    return plan_.node_requirements.empty() ? nullptr : plan_.node_requirements[instance].get();
  }

  std::string Names(const std::vector<InstanceIndex>& instances) const {
    std::vector<std::string> names;
    for (InstanceIndex instance : instances) names.push_back(plan_.instances[instance].name);
    return NameList(std::move(names));
  }

  std::string DescribeAll() const {
    const size_t unplaced = problem_.unplaced.size();
    return absl::StrCat(unplaced, " of ", plan_.instances.size(),
                        " instances found no node: ", Names(problem_.unplaced), ". ",
                        DescribeNodes(),
                        "; a node hosts one instance unless told otherwise. Start ",
                        Counted(unplaced, "more node manager"),
                        requirers_.empty() ? "" : " with the attributes that are required",
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
                      " not answer: ", NameList(AliasesOf(nodes_.silent)));
    }
    return text;
  }

  // "service_constraints[server/*]: server/1 needs a node where rack is 'a': node0, node2"
  std::string DescribeRequirement(const NodeRequirement& requirement,
                                  const std::vector<InstanceIndex>& instances) const {
    std::vector<std::string> keys;
    for (const std::string& key : requirement.keys) {
      keys.push_back(absl::StrCat("service_constraints[", Escaped(key), "]"));
    }
    return absl::StrCat(absl::StrJoin(keys, " and "), ": ", Names(instances),
                        instances.size() == 1 ? " needs" : " each need", " a node where ",
                        Describe(*requirement.constraints), ": ", DescribeSatisfying(requirement));
  }

  // "node0, node2; taken by node_service_bundles: node1; not answering: node3"
  std::string DescribeSatisfying(const NodeRequirement& requirement) const {
    const AttributeFilter filter(*requirement.constraints);
    std::vector<std::string> contested, bundles, silent;
    for (const PlacementNode& node : nodes_.usable) {
      if (!filter.Passes(node.attributes)) continue;
      (hosts_bundle_.contains(node.alias) ? bundles : contested).push_back(node.alias);
    }
    for (const PlacementNode& node : nodes_.silent) {
      if (filter.Passes(node.attributes)) silent.push_back(node.alias);
    }
    std::string text = NameList(std::move(contested), kMaxNodesShown);
    const auto append = [&](std::vector<std::string> aliases, const char* state) {
      if (aliases.empty()) return;
      absl::StrAppend(&text, "; ", state, ": ", NameList(std::move(aliases), kMaxNodesShown));
    };
    append(std::move(bundles), "taken by node_service_bundles");
    append(std::move(silent), "not answering");
    return text;
  }

  // "2 instances compete for 1 node: server/0, server/1 for node0"
  std::string DescribeCompetition() const {
    const size_t competitors = problem_.competitors.size();
    const size_t contested = problem_.contested.size();
    std::vector<std::string> aliases;
    for (NodeIndex node : problem_.contested) aliases.push_back(nodes_.usable[node].alias);
    return absl::StrCat(
        Counted(competitors, "instance"), competitors == 1 ? " competes for " : " compete for ",
        Counted(contested, "node"), ": ", Names(problem_.competitors),
        contested == 0 ? "" : " for ", contested == 0 ? "" : NameList(std::move(aliases)));
  }

  const UnplacedInstances& problem_;
  const Plan& plan_;
  const PlacementNodes& nodes_;
  // The unplaced that require something of their node, together where it is the same.
  std::vector<std::pair<RequirementPointer, std::vector<InstanceIndex>>> requirers_;
  absl::flat_hash_set<std::string> hosts_bundle_;  // aliases of nodes
};

}  // namespace

std::string DescribeMissingNode(const std::string& alias, const ServiceBundle& bundle,
                                const PlacementNodes& nodes) {
  const bool is_silent = std::any_of(nodes.silent.begin(), nodes.silent.end(),
                                     [&](const PlacementNode& n) { return n.alias == alias; });
  const std::vector<std::string> names(bundle.services().begin(), bundle.services().end());
  const std::string others =
      nodes.usable.empty() ? ""
                           : absl::StrCat(" or name one of: ", NameList(AliasesOf(nodes.usable)));
  return absl::StrCat("node_service_bundles[", alias, "] places ", NameList(names), " on ", alias,
                      is_silent
                          ? ", which is registered but does not answer; restart its node manager"
                          : ", which is not registered; start a node manager of that name",
                      others);
}

std::vector<std::string> DescribeUnplaced(const UnplacedInstances& problem, const Plan& plan,
                                          const PlacementNodes& nodes) {
  return UnplacedReport(problem, plan, nodes).Lines();
}

}  // namespace distbench
