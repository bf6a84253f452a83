// CallExtras: what a request says beyond which RPC it is, and how large it is drawn. Most RPCs have
// none of it, and nothing is done for them.
#ifndef DISTBENCH_ENGINE_CALL_EXTRAS_H_
#define DISTBENCH_ENGINE_CALL_EXTRAS_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/engine/engine_context.h"
#include "distbench/results/trace_hop.h"
#include "distbench/sampling/counter_random.h"

namespace distbench {

struct CallExtras {
  int64_t request_bytes = 0;
  uint32_t payload_offset = 0;             // where the payload begins in the pattern
  std::optional<int64_t> response_bytes;   // told to the server
  std::optional<uint64_t> causal_key;      // likewise
  std::unique_ptr<const TracePath> trace;  // likewise; null: not traced
};

// Where in the test an RPC is sent.
struct CallPlace {
  const EngineContext& context;
  const ActionPlan& action;
  RpcIndex rpc;
  InstanceIndex target;
  CounterRandom stream;              // of the iteration
  TraceHop hop;                      // that the RPC adds to what caused it
  const TracePath* cause = nullptr;  // of the list's run; null: that is not traced
  bool starts_trace = false;
};

// Whether RPCs of this kind, sent by this action, have extras in every case. Tracing aside, which
// is asked for iteration by iteration.
bool HasExtras(const EngineContext& context, const ActionPlan& action, RpcIndex rpc);

CallExtras DrawExtras(const CallPlace& place);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_CALL_EXTRAS_H_
