// Fixed placement: node_service_bundles name instances of this test, each on one node only. Where
// the nodes are is the sequencer's business.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/unknown_instance.h"

namespace distbench {
namespace {

// "node0", "node17"; not "node", "node01" or "Node1".
bool IsNodeName(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "node") || name.empty()) return false;
  if (name.size() > 1 && name[0] == '0') return false;
  return std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

class BundleCheck {
 public:
  explicit BundleCheck(CompileContext& context) : context_(context) {}

  void CheckBundle(const std::string& node, const ServiceBundle& bundle) {
    const std::string path = KeyPath("node_service_bundles", node);
    if (!IsNodeName(node)) {
      context_.report.Error(
          path, absl::StrCat(Quoted(node), " names no node; nodes are node0, node1, ..."));
    }
    for (int i = 0; i < bundle.services_size(); ++i) {
      CheckInstance(node, bundle.services(i), absl::StrCat(path, ".services[", i, "]"));
    }
  }

 private:
  void CheckInstance(const std::string& node, const std::string& instance,
                     const std::string& path) {
    if (!context_.plan.instance_by_name.contains(instance)) {
      ReportUnknownInstance(context_,
                            {.path = path, .name = instance, .problem = "there is no instance"});
      return;
    }
    const auto [placed, is_new] = node_of_.try_emplace(instance, node);
    if (is_new) return;
    context_.report.Error(path, absl::StrCat(Quoted(instance), " is placed on ",
                                             Escaped(placed->second), " already; name it once"));
  }

  CompileContext& context_;
  absl::flat_hash_map<std::string, std::string> node_of_;  // by instance
};

}  // namespace

void CheckServiceBundles(CompileContext& context) {
  const auto& bundles = context.config.node_service_bundles();
  std::vector<std::string> nodes;
  for (const auto& [node, bundle] : bundles) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end());  // reports in an order that does not change
  BundleCheck check(context);
  for (const std::string& node : nodes) check.CheckBundle(node, bundles.at(node));
}

}  // namespace distbench
