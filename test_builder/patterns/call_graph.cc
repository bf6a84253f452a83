// call_graph: services that call services, as a tree or as a file says.
#include <memory>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/call_graph_text.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

// A slip: more than a cluster has nodes.
constexpr int64_t kMaxServices = 100'000;

// Writes a graph as a config: each edge is an RPC, and what a service does for a request is to make
// the calls of all its edges at the same time.
class CallGraphWriter {
 public:
  CallGraphWriter(const CallGraph& graph, const ParameterValues& values)
      : graph_(graph), edges_(EdgesByCaller(graph)), values_(values) {}

  absl::StatusOr<DistributedSystemDescription> Write(absl::Duration duration) {
    for (const CallGraph::Service& service : graph_.services) {
      AddService(service.name, service.count, &test_);
    }
    for (const CallGraph::Edge& edge : graph_.edges) WriteRpc(edge);
    RETURN_IF_ERROR(WriteClient(duration));
    for (const CallGraph::Edge& edge : graph_.edges) WriteCall(edge);
    for (const CallGraph::Edge& edge : graph_.edges) WriteList(NameOf(edge), edge.callee);
    return std::move(test_);
  }

 private:
  std::string NameOf(const CallGraph::Edge& edge) const { return CallName(graph_, edge); }
  std::string CallOf(const CallGraph::Edge& edge) const {
    return absl::StrCat("call_", NameOf(edge));
  }

  void WriteRpc(const CallGraph::Edge& edge) {
    const CallGraph::Service& callee = graph_.services[edge.callee];
    AddRpc({.name = NameOf(edge),
            .client = graph_.services[edge.caller].name,
            .server = callee.name,
            .fanout = callee.count > 1 ? "random" : "",
            .request_size = edge.request_size_bytes.value_or(values_.Integer("request_size")),
            .response_size = edge.response_size_bytes.value_or(values_.Integer("response_size"))},
           &test_);
  }

  absl::Status WriteClient(absl::Duration duration) {
    ASSIGN_OR_RETURN(const int64_t interval_ns, IntervalNs(values_));
    AddList(graph_.services[graph_.client].name, {"run_queries"}, &test_);
    Action* const queries = test_.add_actions();
    queries->set_name("run_queries");
    queries->set_action_list_name(kQueryName);
    SetOpenLoop({.interval_ns = interval_ns,
                 .distribution = values_.Text("synchronization_mode"),
                 .warmup = WarmupOf(values_),
                 .duration = duration},
                queries->mutable_iterations());
    WriteList(kQueryName, graph_.client);
    return absl::OkStatus();
  }

  void WriteCall(const CallGraph::Edge& edge) {
    Action* const call = AddRpcAction(CallOf(edge), NameOf(edge), &test_);
    if (edge.calls > 1) {
      call->mutable_iterations()->set_max_iteration_count(static_cast<int32_t>(edge.calls));
    }
    if (edge.probability < 1) call->add_predicates(NameOf(edge));
  }

  void WriteList(const std::string& name, size_t service) {
    std::vector<std::string> calls;
    for (const size_t edge : edges_[service]) calls.push_back(CallOf(graph_.edges[edge]));
    AddList(name, calls, &test_);
    auto& probabilities =
        *test_.mutable_action_lists()->rbegin()->mutable_predicate_probabilities();
    for (const size_t position : edges_[service]) {
      const CallGraph::Edge& edge = graph_.edges[position];
      if (edge.probability == 1) continue;
      probabilities[NameOf(edge)] = static_cast<float>(edge.probability);
    }
  }

  const CallGraph& graph_;
  const std::vector<std::vector<size_t>> edges_;  // by caller
  const ParameterValues& values_;
  DistributedSystemDescription test_;
};

class CallGraphPattern final : public Pattern {
 public:
  std::string name() const override { return "call_graph"; }
  std::string summary() const override {
    return "Queries that go through a tree of services, or through a graph of your own.";
  }
  std::vector<Parameter> parameters() const override {
    return {QueriesPerSecond(100),
            IntegerParameter("depth", 3, "levels", "Levels of the tree, below the client.", 1, 50),
            IntegerParameter("width", 2, "services", "How many each service calls.", 1, 10000),
            {.name = "graph",
             .default_text = "",
             .unit = "",
             .help = "In place of the tree, a line for each edge: see README.md.",
             .in_place_of = {"depth", "width"}},
            {.name = "graph_name",
             .default_text = "",
             .unit = "",
             .help = "What names of tests call that graph (graph).",
             .choices = {}},
            SynchronizationMode("exponential"),
            MessageSize("request_size", 1024, "Of calls that do not say their own."),
            MessageSize("response_size", 1024, "Of calls that do not say their own."),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    const std::string graph = values.Has("graph_name") ? values.Text("graph_name") : "graph";
    return absl::StrCat(
        "call_graph_",
        values.Has("graph") ? graph : absl::StrCat(values.Text("depth"), "x", values.Text("width")),
        "x", values.Text("qps"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    ASSIGN_OR_RETURN(const CallGraph graph, GraphOf(values));
    return CallGraphWriter(graph, values).Write(duration);
  }

 private:
  static absl::StatusOr<CallGraph> GraphOf(const ParameterValues& values) {
    if (values.Has("graph")) return ParseCallGraph(values.Text("graph"));
    if (values.Has("graph_name")) {
      return absl::InvalidArgumentError(
          absl::StrCat("graph_name=", values.Text("graph_name"),
                       " names a graph, and there is none; give graph=<FILE, or leave it out"));
    }
    const int64_t width = values.Integer("width");
    int64_t services = 1;
    int64_t level = 1;
    for (int64_t i = 1; i < values.Integer("depth"); ++i) {
      level *= width;
      services += level;
      if (services <= kMaxServices) continue;
      return absl::InvalidArgumentError(absl::StrCat("depth=", values.Text("depth"),
                                                     " and width=", width, " make more than ",
                                                     kMaxServices, " services; choose less"));
    }
    return CallTree(values.Integer("depth"), width);
  }
};

}  // namespace

std::unique_ptr<Pattern> NewCallGraphPattern() { return std::make_unique<CallGraphPattern>(); }

}  // namespace distbench
