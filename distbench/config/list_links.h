// How action lists lead to each other: an action runs another list, or sends an RPC whose list runs
// on the server.
#ifndef DISTBENCH_CONFIG_LIST_LINKS_H_
#define DISTBENCH_CONFIG_LIST_LINKS_H_

#include <optional>
#include <variant>

#include "distbench/config/compile_context.h"

namespace distbench {

// The list that the same engine runs for this action.
inline std::optional<ListIndex> NestedListOf(const ActionPlan& action) {
  const auto* run = std::get_if<RunList>(&action.work);
  return run == nullptr ? std::nullopt : std::optional(run->list);
}

// The RPC that the action sends.
inline std::optional<RpcIndex> RpcOf(const ActionPlan& action) {
  const auto* send = std::get_if<SendRpc>(&action.work);
  return send == nullptr ? std::nullopt : std::optional(send->rpc);
}

// The list that the action leads to, here or on the RPC's server, as far as it could be resolved.
inline std::optional<ListIndex> ListReachedBy(const CompileContext& context,
                                              const ActionPlan& action) {
  if (const auto rpc = RpcOf(action)) return context.rpc_ends[*rpc].server_list;
  return NestedListOf(action);
}

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_LIST_LINKS_H_
