// tripartite: a lookup in two steps.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class TripartitePattern final : public Pattern {
 public:
  std::string name() const override { return "tripartite"; }
  std::string summary() const override {
    return "Clients ask all index servers where a thing is, then fetch it from one data server.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("client_count", 1, "Clients."),
            InstanceCount("index_count", 1, "Index servers."),
            InstanceCount("data_count", 10, "Data servers."),
            ParallelQueries(10),
            MessageSize("index_request_size", 196, "What an index server is asked."),
            MessageSize("index_response_size", 1024, "What it answers."),
            MessageSize("data_request_size", 64, "What a data server is asked."),
            MessageSize("data_response_size", 512, "What it answers."),
            WarmupIterations(1000)};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("tripartite_", values.Text("client_count"), "x", values.Text("index_count"),
                        "x", values.Text("data_count"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("client", values.Integer("client_count"), &test);
    AddService("index", values.Integer("index_count"), &test);
    AddService("data", values.Integer("data_count"), &test);
    AddRpc({.name = "index_query",
            .client = "client",
            .server = "index",
            .request_size = values.Integer("index_request_size"),
            .response_size = values.Integer("index_response_size")},
           &test);
    AddRpc({.name = "data_query",
            .client = "client",
            .server = "data",
            .fanout = "random",
            .request_size = values.Integer("data_request_size"),
            .response_size = values.Integer("data_response_size")},
           &test);
    AddList("client", {"run_lookups"}, &test);
    Action* const lookups = test.add_actions();
    lookups->set_name("run_lookups");
    lookups->set_action_list_name("lookup");
    SetClosedLoop({.parallel = values.Integer("parallel_queries"),
                   .warmup_iterations = values.Integer("warmup_iterations"),
                   .duration = duration},
                  lookups->mutable_iterations());
    AddList("lookup", {"find", "fetch"}, &test);
    AddRpcAction("find", "index_query", &test);
    AddRpcAction("fetch", "data_query", &test)->add_dependencies("find");
    AddList("index_query", {}, &test);
    AddList("data_query", {}, &test);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewTripartitePattern() { return std::make_unique<TripartitePattern>(); }

}  // namespace distbench
