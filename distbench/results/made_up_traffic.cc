#include "distbench/results/made_up_traffic.h"

#include <random>
#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

ServiceIndex AddService(const std::string& name, size_t count, Plan& plan) {
  ServicePlan service;
  service.name = name;
  service.count = count;
  service.first = InstanceIndex(plan.instances.size());
  service.x_size = count;
  const ServiceIndex index = plan.services.push_back(std::move(service));
  for (size_t rank = 0; rank < count; ++rank) {
    const std::string instance = absl::StrCat(name, "/", rank);
    plan.instance_by_name[instance] =
        plan.instances.push_back({.name = instance, .service = index, .rank = rank});
  }
  return index;
}

// Many magnitudes, as if each were as likely.
int64_t AnyMagnitude(int max_bits, std::mt19937_64& random) {
  return static_cast<int64_t>(random() >> (64 - 1 - random() % max_bits));
}

}  // namespace

std::shared_ptr<const Plan> MadeUpPlan(const MadeUpPlanOptions& options) {
  auto plan = std::make_shared<Plan>();
  const ServiceIndex client = AddService(options.client, options.clients, *plan);
  const ServiceIndex server = AddService("server", options.servers, *plan);
  for (const std::string& name : options.rpcs) {
    RpcPlan rpc;
    rpc.name = name;
    rpc.clients = {client};
    rpc.server = server;
    rpc.server_list = plan->lists.push_back({.name = name, .actions = {}, .roots = {}});
    plan->rpcs.push_back(std::move(rpc));
  }
  for (const std::string& name : options.traces) {
    plan->traces.push_back({.name = name, .client = client, .server = server, .records = {}});
  }
  return plan;
}

std::vector<MadeUpRpc> MadeUpTraffic(const Plan& plan, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  const ServicePlan& servers = plan.services[ServiceIndex(1)];
  std::vector<MadeUpRpc> traffic(count);
  for (auto& [record, error] : traffic) {
    record.rpc = RpcIndex(random() % plan.rpcs.size());
    record.server = InstanceIndex(servers.first.value() + random() % servers.count);
    record.warmup = random() % 8 == 0;
    record.open_loop = random() % 2 == 0;
    record.intended_start_ns = 1'000'000'000 + AnyMagnitude(36, random);
    record.start_ns = record.intended_start_ns + AnyMagnitude(20, random);
    record.end_ns = record.start_ns + AnyMagnitude(34, random);
    record.request_bytes = AnyMagnitude(20, random);
    record.response_bytes = AnyMagnitude(20, random);
    record.latency_weight_ns = record.open_loop ? 0 : AnyMagnitude(20, random);
    if (random() % 16 == 0) error = absl::StrCat("error ", random() % 5);
  }
  return traffic;
}

void Record(const MadeUpRpc& rpc, Recorder& recorder) {
  if (rpc.error.empty()) {
    recorder.RecordSuccess(rpc.record);
  } else {
    recorder.RecordFailure(rpc.record, rpc.error);
  }
}

}  // namespace distbench
