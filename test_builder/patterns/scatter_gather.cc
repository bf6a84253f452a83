// scatter_gather: questions that all leaves must answer.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class ScatterGatherPattern final : public Pattern {
 public:
  std::string name() const override { return "scatter_gather"; }
  std::string summary() const override {
    return "Roots keep some questions in flight, each of which is as slow as the slowest leaf.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("root_count", 1, "Who asks."),
            InstanceCount("leaf_count", 10, "Who answers."),
            ParallelQueries(10),
            MessageSize("request_size", 196, "What each leaf is asked."),
            MessageSize("response_size", 16384, "What each leaf answers."),
            WarmupSeconds(1),
            WarmupIterationsInstead()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("scatter_gather_", values.Text("root_count"), "x",
                        values.Text("leaf_count"), "x", values.Text("parallel_queries"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("root", values.Integer("root_count"), &test);
    AddService("leaf", values.Integer("leaf_count"), &test);
    AddClosedCalls({.action = "run_queries", .rpc = "ask_leaf", .client = "root", .server = "leaf"},
                   values,
                   {.parallel = values.Integer("parallel_queries"),
                    .warmup_iterations = WarmupIterationsOf(values),
                    .warmup = WarmupOf(values),
                    .duration = duration},
                   &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewScatterGatherPattern() {
  return std::make_unique<ScatterGatherPattern>();
}

}  // namespace distbench
