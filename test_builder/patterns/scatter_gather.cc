// scatter_gather: questions that all leaves must answer.
#include <memory>

#include "absl/strings/str_cat.h"
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
            WarmupIterations(1000)};
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
    AddRpc({.name = "ask_leaf",
            .client = "root",
            .server = "leaf",
            .request_size = values.Integer("request_size"),
            .response_size = values.Integer("response_size")},
           &test);
    AddList("root", {"run_queries"}, &test);
    SetClosedLoop({.parallel = values.Integer("parallel_queries"),
                   .warmup_iterations = values.Integer("warmup_iterations"),
                   .duration = duration},
                  AddRpcAction("run_queries", "ask_leaf", &test)->mutable_iterations());
    AddList("ask_leaf", {}, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewScatterGatherPattern() {
  return std::make_unique<ScatterGatherPattern>();
}

}  // namespace distbench
