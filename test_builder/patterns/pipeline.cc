// pipeline: stages that pass a query on, one to the next.
#include <memory>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

constexpr char kStageTime[] = "stage_time";
// Each is a service of its own, which takes half a kilobyte of the config.
constexpr int64_t kMaxStages = 10'000;

// Each time the same.
DistributionConfig ExactDelay(int64_t delay_ns) {
  DistributionConfig delay;
  delay.set_name(kStageTime);
  delay.add_field_names("action_delay_ns");
  PmfPoint* const point = delay.add_pmf_points();
  point->set_pmf(1);
  point->add_data_points()->set_exact(delay_ns);
  return delay;
}

std::string Stage(int64_t number) { return absl::StrCat("stage_", number); }

// The RPC that a stage gets; the load generator is before the first one.
std::string QueryOf(int64_t stage) { return absl::StrCat(Stage(stage), "_query"); }

class PipelinePattern final : public Pattern {
 public:
  std::string name() const override { return "pipeline"; }
  std::string summary() const override {
    return "Each stage passes a query on to the next, and answers when that has answered.";
  }
  std::vector<Parameter> parameters() const override {
    return {
        IntegerParameter("stage_count", 4, "instances", "Stages.", 1, kMaxStages),
        QueriesPerSecond(100),
        IntegerParameter("stage_time_us", 0, "us",
                         "How long a stage keeps a query before it passes it on.", 0, 60'000'000),
        SynchronizationMode("constant"),
        MessageSize("request_size", 1024, "What each stage gets."),
        MessageSize("response_size", 1024, "What it answers."),
        WarmupSeconds()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("pipeline_", values.Text("stage_count"), "x", values.Text("stage_time_us"),
                        "x", values.Text("qps"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    const int64_t stages = values.Integer("stage_count");
    const bool takes_time = values.Integer("stage_time_us") > 0;
    DistributedSystemDescription test;
    AddService("load_generator", 1, &test);
    for (int64_t stage = 1; stage <= stages; ++stage) {
      AddService(Stage(stage), 1, &test);
      AddRpc({.name = QueryOf(stage),
              .client = stage == 1 ? "load_generator" : Stage(stage - 1),
              .server = Stage(stage),
              .request_size = values.Integer("request_size"),
              .response_size = values.Integer("response_size")},
             &test);
    }
    AddList("load_generator", {"generate_load"}, &test);
    ASSIGN_OR_RETURN(const int64_t interval_ns, IntervalNs(values));
    SetOpenLoop({.interval_ns = interval_ns,
                 .distribution = values.Text("synchronization_mode"),
                 .warmup = WarmupOf(values),
                 .duration = duration},
                AddRpcAction("generate_load", QueryOf(1), &test)->mutable_iterations());
    for (int64_t stage = 1; stage <= stages; ++stage) AddStage(stage, stages, takes_time, &test);
    if (takes_time) {
      *test.add_delay_distribution_configs() = ExactDelay(values.Integer("stage_time_us") * 1000);
    }
    return test;
  }

 private:
  // What a stage does with a query. The last one has nobody to pass it on to.
  static void AddStage(int64_t stage, int64_t stages, bool takes_time,
                       DistributedSystemDescription* test) {
    const bool is_last = stage == stages;
    if (is_last && !takes_time) return AddList(QueryOf(stage), {}, test);
    const std::string name = absl::StrCat(is_last ? "finish_" : "pass_on_", stage);
    AddList(QueryOf(stage), {name}, test);
    Action* const action = test->add_actions();
    action->set_name(name);
    if (!is_last) action->set_rpc_name(QueryOf(stage + 1));
    if (takes_time) action->set_delay_distribution_name(kStageTime);
  }
};

}  // namespace

std::unique_ptr<Pattern> NewPipelinePattern() { return std::make_unique<PipelinePattern>(); }

}  // namespace distbench
