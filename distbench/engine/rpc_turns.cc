#include "distbench/engine/rpc_turns.h"

#include <cstddef>
#include <optional>
#include <variant>

namespace distbench {

// An RPC that one action of the main list sends, and nothing else on this engine, in a list that is
// run once: its iterations are its turns.
IndexedVector<RpcIndex, bool> FindTurns(const Plan& plan, InstanceIndex self) {
  IndexedVector<RpcIndex, bool> iteration_is_turn(plan.rpcs.size());
  const std::optional<ListIndex> main_list = plan.services[plan.instances[self].service].main_list;
  if (!main_list) return iteration_is_turn;
  IndexedVector<RpcIndex, int> senders(plan.rpcs.size());
  bool is_nested = false;
  for (size_t i = 0; i < plan.lists.size(); ++i) {
    for (const ActionPlan& action : plan.lists[ListIndex(i)].actions) {
      if (const auto* send = std::get_if<SendRpc>(&action.work)) ++senders[send->rpc];
      const auto* run = std::get_if<RunList>(&action.work);
      is_nested |= run != nullptr && run->list == *main_list;
    }
  }
  if (is_nested) return iteration_is_turn;
  for (const ActionPlan& action : plan.lists[*main_list].actions) {
    const auto* send = std::get_if<SendRpc>(&action.work);
    if (send != nullptr) iteration_is_turn[send->rpc] = senders[send->rpc] == 1;
  }
  return iteration_is_turn;
}

}  // namespace distbench
