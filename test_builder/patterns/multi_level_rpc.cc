// multi_level_rpc: a search tree, as slow as its slowest leaf.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/search_tree.h"

namespace distbench {
namespace {

class MultiLevelRpcPattern final : public Pattern {
 public:
  std::string name() const override { return "multi_level_rpc"; }
  std::string summary() const override {
    return "A load generator asks roots in turn; each root asks all leaves before it answers.";
  }
  std::vector<Parameter> parameters() const override { return SearchTreeParameters("constant"); }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("multi_level_rpc_", SearchTreeAlias(values));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    return SearchTree(values, duration);
  }
};

}  // namespace

std::unique_ptr<Pattern> NewMultiLevelRpcPattern() {
  return std::make_unique<MultiLevelRpcPattern>();
}

}  // namespace distbench
