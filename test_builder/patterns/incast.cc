// incast: many senders, one receiver.
#include <memory>

#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class IncastPattern final : public Pattern {
 public:
  std::string name() const override { return "incast"; }
  std::string summary() const override {
    return "All senders send to the one receiver at the same moments.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("sender_count", 10, "Senders."),
            RpcInterval(10000),
            SynchronizationMode("sync_burst"),
            MessageSize("request_size", 65536, "What each sends."),
            MessageSize("response_size", 32, "What the receiver answers."),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return OpenCallsAlias("incast", values.Text("sender_count"), values);
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("receiver", 1, &test);
    AddService("sender", values.Integer("sender_count"), &test);
    AddOpenCalls({.action = "send", .rpc = "deliver", .client = "sender", .server = "receiver"},
                 values, duration, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewIncastPattern() { return std::make_unique<IncastPattern>(); }

}  // namespace distbench
