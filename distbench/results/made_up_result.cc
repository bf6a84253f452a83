#include "distbench/results/made_up_result.h"

#include "distbench/base/clock.h"
#include "distbench/base/indices.h"

namespace distbench {

MadeUpResult::MadeUpResult(const MadeUpPlanOptions& options)
    : plan_(std::make_shared<Plan>(*MadeUpPlan(options))) {
  ActionPlan ask;
  ask.name = "ask";
  ask.work = SendRpc{RpcIndex(0)};
  ActionListPlan list;
  list.name = options.client;
  list.actions.push_back(ask);
  plan_->services[ServiceIndex(0)].main_list = plan_->lists.push_back(list);
}

void MadeUpResult::SetIterations(const IterationPlan& iterations) {
  const ListIndex main_list = *plan_->services[ServiceIndex(0)].main_list;
  plan_->lists[main_list].actions[ActionIndex(0)].iterations = iterations;
}

void MadeUpResult::SetLog(const std::string& client, const std::function<void(Recorder&)>& record,
                          int64_t max_samples) {
  Recorder recorder({.plan = plan_, .self = InstanceIndex(0), .max_samples = max_samples});
  record(recorder);
  (*result_.mutable_service_logs()->mutable_instance_logs())[client] =
      BuildServiceLog({&recorder}, WallAnchor());
}

void MadeUpResult::SetLoad(const std::string& client, const MadeUpLoad& load) {
  SetLog(client, [&](Recorder& recorder) {
    RpcRecord record = {.rpc = RpcIndex(0),
                        .server = plan_->services[ServiceIndex(1)].first,
                        .open_loop = load.open_loop,
                        .request_bytes = 16,
                        .response_bytes = 32};
    for (int64_t i = 0; i < load.count; ++i) {
      record.intended_start_ns = i * load.interval_ns;
      record.start_ns = record.intended_start_ns + load.lateness_ns;
      record.end_ns = record.start_ns + load.service_ns;
      recorder.RecordSuccess(record);
    }
  });
}

NodeReport& MadeUpResult::AddNode(const std::string& alias,
                                  const std::vector<std::string>& instances) {
  NodeReport& node = *result_.mutable_report()->add_nodes();
  node.set_node_alias(alias);
  for (const std::string& instance : instances) node.add_instances(instance);
  node.mutable_provenance()->set_hostname(alias);
  node.mutable_provenance()->set_process_id(1);
  node.mutable_provenance()->set_cpu_affinity("0-1");
  node.mutable_provenance()->set_cpu_count(2);
  node.set_agreed_start(true);
  node.set_start_skew_ns(0);
  node.set_clock_offset_ns(0);
  node.set_clock_offset_bound_ns(0);
  return node;
}

void MadeUpResult::SetCpuSeconds(const std::string& node, double seconds) {
  (*result_.mutable_resource_usage_logs()->mutable_node_usages())[node]
      .mutable_rusage_diff()
      ->set_user_cpu_time_seconds(seconds);
}

IterationPlan OpenLoopIterations(int64_t count, int64_t interval_ns, Pacing pacing) {
  return {.max_count = count,
          .open_loop = OpenLoopPlan{.interval_ns = interval_ns, .pacing = pacing}};
}

}  // namespace distbench
