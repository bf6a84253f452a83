// homa_cp_node: the load that Homa's program cp_node makes: equals that send each other messages of
// published sizes, at a rate of bits.
#include <memory>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/homa_workloads.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

constexpr char kSizes[] = "message_sizes";

class HomaCpNodePattern final : public Pattern {
 public:
  std::string name() const override { return "homa_cp_node"; }
  std::string summary() const override {
    return "Each node sends others, drawn anew each time, messages of sizes that were published.";
  }
  std::vector<Parameter> parameters() const override {
    return {{.name = "gbps",
             .default_text = "1",
             .unit = "Gbit/s",
             .help = "What each node sends as requests; as much comes back.",
             .kind = Parameter::Kind::kNumber,
             .least = 1e-6,
             .greatest = 1e6},
            InstanceCount("node_count", 10, "Nodes.", 2),
            {.name = "workload",
             .default_text = "w5",
             .unit = "",
             .help = "Which sizes: those of Homa's evaluation (SIGCOMM 2018).",
             .choices = {"w1", "w2", "w3", "w4", "w5"}},
            IntegerParameter("max_message_length", 1000000, "bytes",
                             "Larger messages are cut to this.", 1, INT32_MAX),
            SynchronizationMode("exponential"),
            IntegerParameter("max_pending_rpcs", 5000, "RPCs",
                             "More of an instance end the test as overloaded.", 1, 1'000'000'000),
            WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("homa_cp_node_", values.Text("synchronization_mode"), "_",
                        values.Text("node_count"), "x", values.Text("gbps"), "x",
                        values.Text("workload"), "x", values.Text("max_message_length"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService("clique", values.Integer("node_count"), &test);
    DistributionConfig* const sizes = test.add_distribution_config();
    *sizes = CutAt(values.Integer("max_message_length"), HomaWorkload(values.Text("workload")));
    sizes->set_name(kSizes);
    sizes->add_field_names("payload_size");
    RpcSpec* const rpc = test.add_rpc_descriptions();
    rpc->set_name("clique_query");
    rpc->add_client("clique");
    rpc->set_server("clique");
    rpc->set_fanout_filter("random");
    rpc->set_distribution_config_name(kSizes);
    AddList("clique", {"clique_queries"}, &test);
    // Bits over gigabits a second are nanoseconds.
    const double interval_ns = 8 * MeanSizeBytes(*sizes) / values.Number("gbps");
    ASSIGN_OR_RETURN(const int64_t whole_ns, WholeInterval(interval_ns, "gbps", values));
    SetOpenLoop({.interval_ns = whole_ns,
                 .distribution = values.Text("synchronization_mode"),
                 .warmup = WarmupOf(values),
                 .duration = duration},
                AddRpcAction("clique_queries", "clique_query", &test)->mutable_iterations());
    AddList("clique_query", {}, &test);
    test.mutable_overload_limits()->set_max_pending_rpcs(values.Integer("max_pending_rpcs"));
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewHomaCpNodePattern() { return std::make_unique<HomaCpNodePattern>(); }

}  // namespace distbench
