#include "distbench/engine/call_extras.h"

#include <utility>

#include "distbench/engine/random_streams.h"
#include "distbench/payload/message.h"
#include "distbench/sampling/distribution.h"

namespace distbench {
namespace {

void DrawSizes(const CallPlace& place, CallExtras& extras) {
  const RpcPlan& rpc = place.context.plan->rpcs[place.rpc];
  CounterRandom random =
      place.stream.Stream(static_cast<uint64_t>(place.hop.fanout_index)).Stream(kSizes);
  if (rpc.joint_sizes != nullptr) {
    const Distribution::Value sizes = rpc.joint_sizes->Draw(random);
    extras.request_bytes = sizes[0];
    extras.response_bytes = rpc.joint_sizes->dimensions() == 1 ? sizes[0] : sizes[1];
    return;
  }
  const MessageSizePlan& size = place.action.request_override.value_or(rpc.request);
  extras.request_bytes = size.drawn == nullptr ? size.bytes : size.drawn->Draw(random)[0];
}

std::unique_ptr<const TracePath> ExtendTrace(const CallPlace& place) {
  if (place.cause == nullptr && !place.starts_trace) return nullptr;
  TracePath path;
  if (place.cause != nullptr) path = *place.cause;
  // Lists that reach themselves by chance may lead on for ever: the way is told as far as this.
  if (path.size() >= kMostTraceHops) return nullptr;
  path.push_back(place.hop);
  return std::make_unique<const TracePath>(std::move(path));
}

}  // namespace

bool HasExtras(const EngineContext& context, const ActionPlan& action, RpcIndex rpc) {
  const RpcPlan& plan = context.plan->rpcs[rpc];
  return plan.joint_sizes != nullptr || plan.request.drawn != nullptr || plan.echo_request ||
         action.request_override.has_value() || context.plan->seed.has_value();
}

CallExtras DrawExtras(const CallPlace& place) {
  CallExtras extras;
  DrawSizes(place, extras);
  const CounterRandom stream = place.stream.Stream(static_cast<uint64_t>(place.hop.fanout_index));
  if (place.context.tells_causal_key(place.rpc, place.target)) {
    extras.causal_key = stream.Stream(kCausalKeys)();
  }
  if (place.context.plan->rpcs[place.rpc].echo_request) {
    extras.payload_offset =
        static_cast<uint32_t>(stream.Stream(kPayloadStarts).Below(kPayloadOffsets));
  }
  extras.trace = ExtendTrace(place);
  return extras;
}

}  // namespace distbench
