#include "distbench/engine/one_way_writer.h"

#include "distbench/engine/engine_context.h"
#include "protos/distbench.pb.h"

namespace distbench {

void WriteOneWayRpcs(const EngineContext& context, ServicePerformanceLog& log) {
  const bool needs_no_answer = context.driver->capabilities().one_way;
  for (const auto& [rpc, statistics] : log.rpc_statistics()) {
    if (!context.plan->rpcs[RpcIndex(rpc)].one_way) continue;
    (*log.mutable_one_way_rpcs())[rpc] = needs_no_answer ? HANDED_OVER : ACKNOWLEDGED;
  }
}

}  // namespace distbench
