#include "distbench/testing/model/draw_forms.h"

#include <algorithm>
#include <functional>
#include <string>

#include "distbench/testing/model/stall_model.h"

namespace distbench::model {
namespace {

// Of the list that runs for the RPC's requests, not of those within it.
void ForActionsOf(const RpcSpec& rpc, DistributedSystemDescription& config,
                  const std::function<void(Action&)>& change) {
  for (const ActionList& list : config.action_lists()) {
    if (list.name() != rpc.name()) continue;
    for (Action& action : *config.mutable_actions()) {
      const auto& names = list.action_names();
      if (std::find(names.begin(), names.end(), action.name()) != names.end()) change(action);
    }
  }
}

// The response is not for the config to size.
void LoseResponseSizes(RpcSpec& rpc, DistributedSystemDescription& config) {
  rpc.clear_response_payload_name();
  rpc.clear_distribution_config_name();
  ForActionsOf(rpc, config, [](Action& action) { action.clear_response_payload_override(); });
}

void DrawDispatch(Dice& dice, RpcSpec& rpc) {
  ServerDispatch& dispatch = *rpc.mutable_server_dispatch();
  dispatch.set_mode(dice.Pick<const char*>(
      {"inline", "thread_pool", "thread_pool", "serial_queue", "serial_queue", "fresh_thread"}));
  if (dispatch.mode() == "thread_pool") dispatch.set_threads(dice.Between(1, 3));
}

}  // namespace

void DrawRpcForms(Dice& dice, DistributedSystemDescription& config) {
  for (RpcSpec& rpc : *config.mutable_rpc_descriptions()) {
    const size_t form = dice.Below(100);
    if (form < 25) {
      rpc.set_one_way(true);
      ForActionsOf(rpc, config, [](Action& action) { action.clear_send_response_when_done(); });
    } else if (form < 45) {
      rpc.set_echo_request(true);
    }
    if (form < 45) LoseResponseSizes(rpc, config);
    if (dice.Percent(45)) DrawDispatch(dice, rpc);
    if (!MayStall(config)) continue;
    rpc.clear_server_dispatch();
    if (MayStall(config)) rpc.clear_one_way();
  }
}

}  // namespace distbench::model
