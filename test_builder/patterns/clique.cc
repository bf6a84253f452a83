// clique: equals that exchange messages in step.
#include <memory>

#include "absl/strings/str_cat.h"
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
    return absl::StrCat("clique_", values.Text("synchronization_mode"), "_",
                        values.Text("node_count"), "x", values.Text("rpc_interval_us"), "x",
                        values.Text("request_size"), "x", values.Text("response_size"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("clique", values.Integer("node_count"), &test);
    AddRpc({.name = "clique_query",
            .client = "clique",
            .server = "clique",
            .request_size = values.Integer("request_size"),
            .response_size = values.Integer("response_size")},
           &test);
    AddList("clique", {"clique_queries"}, &test);
    SetOpenLoop({.interval_ns = values.Integer("rpc_interval_us") * 1000,
                 .distribution = values.Text("synchronization_mode"),
                 .warmup = WarmupOf(values),
                 .duration = duration},
                AddRpcAction("clique_queries", "clique_query", &test)->mutable_iterations());
    AddList("clique_query", {}, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewCliquePattern() { return std::make_unique<CliquePattern>(); }

}  // namespace distbench
