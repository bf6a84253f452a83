// clique: equals that exchange messages in step.
#include <memory>

#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class CliquePattern final : public Pattern {
 public:
  std::string name() const override { return "clique"; }
  std::string summary() const override {
    return "Each node calls all others, all at the same moments.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("node_count", 10, "Nodes.", 2),
            RpcInterval(16000),
            SynchronizationMode("sync_burst"),
            MessageSize("request_size", 1024, "What a node sends to each other."),
            MessageSize("response_size", 1024, "What it is answered."),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return OpenCallsAlias("clique", values.Text("node_count"), values);
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("clique", values.Integer("node_count"), &test);
    AddOpenCalls(
        {.action = "clique_queries", .rpc = "clique_query", .client = "clique", .server = "clique"},
        values, duration, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewCliquePattern() { return std::make_unique<CliquePattern>(); }

}  // namespace distbench
