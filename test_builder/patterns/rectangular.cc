// rectangular: nodes in a plane that call neighbours.
#include <memory>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/calls.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

class RectangularPattern final : public Pattern {
 public:
  std::string name() const override { return "rectangular"; }
  std::string summary() const override {
    return "Each node of a grid calls those that the fanout filter names, such as the next of its "
           "row.";
  }
  std::vector<Parameter> parameters() const override {
    return {InstanceCount("x_size", 5, "Nodes of a row."),
            InstanceCount("y_size", 3, "Rows."),
            RpcInterval(100000),
            {.name = "fanout_filter",
             .default_text = "ring_x",
             .unit = "",
             .help = "Whom a node calls: fanout_filter of the config.",
             .choices = {}},
            IntegerParameter("tracing_interval", 0, "iterations",
                             "Every so many of a node one is traced; 0: none.", 0, INT32_MAX),
            SynchronizationMode("sync_burst"),
            MessageSize("request_size", 1024, "What a node sends."),
            MessageSize("response_size", 1024, "What it is answered."),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return OpenCallsAlias(absl::StrCat("rectangular_", values.Text("fanout_filter")),
                          absl::StrCat(values.Text("x_size"), "x", values.Text("y_size")), values);
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    ServiceSpec* const grid = test.add_services();
    grid->set_name("rectangular");
    grid->set_x_size(static_cast<int32_t>(values.Integer("x_size")));
    grid->set_y_size(static_cast<int32_t>(values.Integer("y_size")));
    RpcSpec* const rpc = AddOpenCalls({.action = "rectangular_queries",
                                       .rpc = "rectangular_query",
                                       .client = "rectangular",
                                       .server = "rectangular",
                                       .fanout = values.Text("fanout_filter")},
                                      values, duration, &test);
    const int64_t tracing_interval = values.Integer("tracing_interval");
    if (tracing_interval > 0) rpc->set_tracing_interval(static_cast<int32_t>(tracing_interval));
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewRectangularPattern() { return std::make_unique<RectangularPattern>(); }

}  // namespace distbench
