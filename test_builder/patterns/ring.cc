// ring: nodes that call the next one.
#include <memory>

#include "test_builder/patterns/calls.h"
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
    return OpenCallsAlias("ring", values.Text("node_count"), values);
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("node", values.Integer("node_count"), &test);
    AddOpenCalls({.action = "call_next",
                  .rpc = "pass_on",
                  .client = "node",
                  .server = "node",
                  .fanout = "ring_x"},
                 values, duration, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewRingPattern() { return std::make_unique<RingPattern>(); }

}  // namespace distbench
