// Requirements on nodes: service_constraints, resolved to the instances that its keys name.
//
// A key is the name of an instance, or a glob. An instance whose name is a key must satisfy that
// key's constraints alone. Any other one must satisfy those of every glob that matches it: a map
// has no order in which one of them could win. What node_service_bundles places is required
// nothing, as it is placed as written. Where the nodes are is the sequencer's business.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/constraints.h"
#include "distbench/config/glob.h"
#include "distbench/config/unknown_instance.h"

namespace distbench {
namespace {

class RequirementCompiler {
 public:
  explicit RequirementCompiler(CompileContext& context)
      : context_(context),
        given_(context.config.service_constraints()),
        keys_of_(context.plan.instances.size()) {
    for (const auto& [key, constraints] : given_) keys_.push_back(key);
    std::sort(keys_.begin(), keys_.end());
  }

  void Compile() {
    for (const std::string& key : keys_) CheckConstraints(given_.at(key), Path(key), report());
    std::vector<bool> is_known;
    for (size_t k = 0; k < keys_.size(); ++k) is_known.push_back(ApplyGlob(k));
    for (size_t k = 0; k < keys_.size(); ++k) {
      const bool is_name = ApplyName(k);
      if (!is_name && !is_known[k]) ReportUnknown(keys_[k]);
      is_known[k] = is_known[k] || is_name;
    }
    ReleaseBundled();
    WarnOfIneffective(is_known);
    FillPlan();
  }

 private:
  // Positions in keys_.
  using Keys = std::vector<size_t>;

  Reporter& report() { return context_.report; }

  static std::string Path(const std::string& key) { return KeyPath("service_constraints", key); }

  void ReportUnknown(const std::string& key) {
    ReportUnknownInstance(context_,
                          {.path = Path(key), .name = key, .problem = "no instance matches"});
  }

  // False if the key is no glob, or one that matches nothing.
  bool ApplyGlob(size_t k) {
    if (!IsGlob(keys_[k])) return false;
    bool matches = false;
    for (size_t i = 0; i < keys_of_.size(); ++i) {
      if (!MatchesGlob(keys_[k], context_.plan.instances[InstanceIndex(i)].name)) continue;
      keys_of_[InstanceIndex(i)].push_back(k);
      matches = true;
    }
    return matches;
  }

  // After all globs, which a name wins over. False if the key is no instance's name.
  bool ApplyName(size_t k) {
    const auto instance = context_.plan.instance_by_name.find(keys_[k]);
    if (instance == context_.plan.instance_by_name.end()) return false;
    keys_of_[instance->second] = {k};
    return true;
  }

  void ReleaseBundled() {
    for (const auto& [node, bundle] : context_.config.node_service_bundles()) {
      for (const std::string& name : bundle.services()) {
        const auto instance = context_.plan.instance_by_name.find(name);
        if (instance != context_.plan.instance_by_name.end()) keys_of_[instance->second].clear();
      }
    }
  }

  void WarnOfIneffective(const std::vector<bool>& is_known) {
    std::vector<bool> has_effect(keys_.size());
    for (const Keys& keys : keys_of_) {
      for (size_t k : keys) has_effect[k] = true;
    }
    for (size_t k = 0; k < keys_.size(); ++k) {
      if (!is_known[k] || has_effect[k]) continue;
      report().Warning(Path(keys_[k]),
                       "without effect: each instance that it names is placed by "
                       "node_service_bundles, or is a key by its own name");
    }
  }

  void FillPlan() {
    context_.plan.node_requirements.reserve(keys_of_.size());
    for (const Keys& keys : keys_of_) {
      context_.plan.node_requirements.push_back(keys.empty() ? nullptr : RequirementOf(keys));
    }
  }

  std::shared_ptr<const NodeRequirement> RequirementOf(const Keys& keys) {
    std::shared_ptr<const NodeRequirement>& known = requirements_[keys];
    if (known != nullptr) return known;
    auto constraints = std::make_shared<ConstraintList>();
    auto requirement = std::make_shared<NodeRequirement>();
    for (size_t k : keys) {
      requirement->keys.push_back(keys_[k]);
      constraints->MergeFrom(given_.at(keys_[k]));  // sets are added to sets: all must hold
    }
    requirement->constraints = std::move(constraints);
    known = std::move(requirement);
    return known;
  }

  CompileContext& context_;
  const google::protobuf::Map<std::string, ConstraintList>& given_;
  std::vector<std::string> keys_;  // sorted, so that nothing depends on the order of the map
  IndexedVector<InstanceIndex, Keys> keys_of_;
  std::map<Keys, std::shared_ptr<const NodeRequirement>> requirements_;
};

}  // namespace

void CompileConstraints(CompileContext& context) {
  if (context.config.service_constraints().empty()) return;
  RequirementCompiler(context).Compile();
}

}  // namespace distbench
