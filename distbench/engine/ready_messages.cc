#include "distbench/engine/ready_messages.h"

#include <algorithm>
#include <cstddef>

namespace distbench {

ReadyMessages::ReadyMessages(const Plan& plan, InstanceIndex self)
    : requests_(plan.rpcs.size()), responses_(plan.rpcs.size()) {
  const ServiceIndex own_service = plan.instances[self].service;
  for (size_t i = 0; i < plan.rpcs.size(); ++i) {
    const RpcPlan& rpc = plan.rpcs[RpcIndex(i)];
    for (const bool warmup : {false, true}) {
      const size_t which = warmup ? 1 : 0;
      if (std::find(rpc.clients.begin(), rpc.clients.end(), own_service) != rpc.clients.end()) {
        requests_[i].messages[which] = requests_[i].heads[which].EncodeRequest(
            {.rpc_index = static_cast<int32_t>(i), .warmup = warmup}, rpc.request.bytes);
      }
      if (rpc.server == own_service) {
        responses_[i].messages[which] = responses_[i].heads[which].EncodeResponse(
            {.warmup = warmup, .server_instance = InstanceToldBy(plan, RpcIndex(i), self)},
            rpc.response.bytes);
      }
    }
  }
}

std::optional<int32_t> InstanceToldBy(const Plan& plan, RpcIndex rpc, InstanceIndex self) {
  if (!plan.rpcs[rpc].channel) return std::nullopt;
  return static_cast<int32_t>(plan.instances[self].rank);
}

}  // namespace distbench
