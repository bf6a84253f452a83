// ring: nodes that call the next one.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class RingPattern final : public Pattern {
 public:
  std::string name() const override { return "ring"; }
  std::string summary() const override {
    return "Each node calls the next one of a ring, all at the same moments.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("node_count", 10, "Nodes.", 2),
            RpcInterval(16000),
            SynchronizationMode("sync_burst"),
            MessageSize("request_size", 1024, "What a node sends to the next one."),
            MessageSize("response_size", 1024, "What it is answered."),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("ring_", values.Text("synchronization_mode"), "_",
                        values.Text("node_count"), "x", values.Text("rpc_interval_us"), "x",
                        values.Text("request_size"), "x", values.Text("response_size"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("node", values.Integer("node_count"), &test);
    AddRpc({.name = "pass_on",
            .client = "node",
            .server = "node",
            .fanout = "ring_x",
            .request_size = values.Integer("request_size"),
            .response_size = values.Integer("response_size")},
           &test);
    AddList("node", {"call_next"}, &test);
    SetOpenLoop({.interval_ns = values.Integer("rpc_interval_us") * 1000,
                 .distribution = values.Text("synchronization_mode"),
                 .warmup = WarmupOf(values),
                 .duration = duration},
                AddRpcAction("call_next", "pass_on", &test)->mutable_iterations());
    AddList("pass_on", {}, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewRingPattern() { return std::make_unique<RingPattern>(); }

}  // namespace distbench
