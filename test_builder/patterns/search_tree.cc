#include "test_builder/patterns/search_tree.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {

std::vector<Parameter> SearchTreeParameters(const std::string& default_mode) {
  return {QueriesPerSecond(10000),
          InstanceCount("root_count", 4, "Roots, each asked in turn."),
          InstanceCount("leaf_count", 20, "Leaves, all of which a root asks."),
          SynchronizationMode(default_mode),
          MessageSize("request_size", 1024, "What roots and leaves are asked."),
          MessageSize("response_size", 1024, "What they answer."),
          WarmupSeconds()};
}

std::string SearchTreeAlias(const ParameterValues& values) {
  return absl::StrCat(values.Text("root_count"), "x", values.Text("leaf_count"), "x",
                      values.Text("qps"));
}

absl::StatusOr<DistributedSystemDescription> SearchTree(const ParameterValues& values,
                                                        absl::Duration duration) {
  ASSIGN_OR_RETURN(const int64_t interval_ns, IntervalNs(values));
  DistributedSystemDescription test;
  AddService("load_generator", 1, &test);
  AddService("root", values.Integer("root_count"), &test);
  AddService("leaf", values.Integer("leaf_count"), &test);
  AddRpc({.name = "root_query",
          .client = "load_generator",
          .server = "root",
          .fanout = "round_robin",
          .request_size = values.Integer("request_size"),
          .response_size = values.Integer("response_size")},
         &test);
  AddRpc({.name = "leaf_query",
          .client = "root",
          .server = "leaf",
          .request_size = values.Integer("request_size"),
          .response_size = values.Integer("response_size")},
         &test);
  AddList("load_generator", {"generate_load"}, &test);
  SetOpenLoop({.interval_ns = interval_ns,
               .distribution = values.Text("synchronization_mode"),
               .warmup = WarmupOf(values),
               .duration = duration},
              AddRpcAction("generate_load", "root_query", &test)->mutable_iterations());
  AddList("root_query", {"ask_leaves"}, &test);
  AddRpcAction("ask_leaves", "leaf_query", &test);
  AddList("leaf_query", {}, &test);
  return test;
}

}  // namespace distbench
