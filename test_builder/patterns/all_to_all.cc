// all_to_all: a shuffle, round after round.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class AllToAllPattern final : public Pattern {
 public:
  std::string name() const override { return "all_to_all"; }
  std::string summary() const override {
    return "Each node sends a block to all others; when all have taken it, its next round begins.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("node_count", 8, "Nodes.", 2),
            MessageSize("request_size", 65536, "The block."),
            MessageSize("response_size", 32, "What says that it was taken."), WarmupSeconds(1),
            WarmupIterationsInstead()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("all_to_all_", values.Text("node_count"), "x", values.Text("request_size"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("node", values.Integer("node_count"), &test);
    AddClosedCalls({.action = "run_rounds", .rpc = "exchange", .client = "node", .server = "node"},
                   values,
                   {.parallel = 1,
                    .warmup_iterations = WarmupIterationsOf(values),
                    .warmup = WarmupOf(values),
                    .duration = duration},
                   &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewAllToAllPattern() { return std::make_unique<AllToAllPattern>(); }

}  // namespace distbench
