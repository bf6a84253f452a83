// client_server: clients that keep servers busy.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class ClientServerPattern final : public Pattern {
 public:
  std::string name() const override { return "client_server"; }
  std::string summary() const override {
    return "Each client keeps some RPCs in flight, each of which asks all servers.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("client_count", 1, "Clients."),
            InstanceCount("server_count", 1, "Servers."),
            ParallelQueries(100),
            MessageSize("request_size", 196, "What a client sends."),
            MessageSize("response_size", 262144, "What a server answers."),
            WarmupIterations(1000)};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("client_server_", values.Text("client_count"), "x",
                        values.Text("server_count"), "x", values.Text("parallel_queries"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("client", values.Integer("client_count"), &test);
    AddService("server", values.Integer("server_count"), &test);
    AddClosedCalls({.action = "run_queries",
                    .rpc = "client_server_rpc",
                    .client = "client",
                    .server = "server"},
                   values,
                   {.parallel = values.Integer("parallel_queries"),
                    .warmup_iterations = values.Integer("warmup_iterations"),
                    .duration = duration},
                   &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewClientServerPattern() {
  return std::make_unique<ClientServerPattern>();
}

}  // namespace distbench
