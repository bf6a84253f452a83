// Turns: what round robin and tracing count of an RPC. Where only the main list sends it, by one
// action, an iteration's number is its turn, whatever threads do. Pure.
#ifndef DISTBENCH_ENGINE_RPC_TURNS_H_
#define DISTBENCH_ENGINE_RPC_TURNS_H_

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"

namespace distbench {

// Of each RPC, whether iterations are its turns on the engine of `self`.
IndexedVector<RpcIndex, bool> FindTurns(const Plan& plan, InstanceIndex self);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_RPC_TURNS_H_
