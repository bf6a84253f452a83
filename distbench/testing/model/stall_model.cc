#include "distbench/testing/model/stall_model.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "distbench/testing/model/traffic_model.h"

namespace distbench::model {
namespace {

bool IsSerial(const RpcSpec& rpc) { return rpc.server_dispatch().mode() == "serial_queue"; }

class Waits {
 public:
  explicit Waits(const DistributedSystemDescription& config) : config_(config) {
    for (const ActionList& list : config.action_lists()) lists_[list.name()] = &list;
    for (const Action& action : config.actions()) actions_[action.name()] = &action;
    for (const RpcSpec& rpc : config.rpc_descriptions()) rpcs_[rpc.name()] = &rpc;
  }

  bool MayStall() const {
    return std::any_of(config_.rpc_descriptions().begin(), config_.rpc_descriptions().end(),
                       [this](const RpcSpec& rpc) { return IsSerial(rpc) && AwaitsSerial(rpc); }) ||
           (MayFillWindow() && DependsOnWindows());
  }

 private:
  bool AwaitsSerial(const RpcSpec& rpc) const {
    const std::set<std::string> awaited = AwaitedBy(rpc.name());
    return std::any_of(awaited.begin(), awaited.end(),
                       [this](const std::string& name) { return IsSerial(*rpcs_.at(name)); });
  }

  // The RPCs that a run of the list waits for, and what waits for them. Nobody waits for one-way
  // ones while there is room for them.
  std::set<std::string> AwaitedBy(const std::string& list) const {
    std::set<std::string> awaited;
    AddAwaited(list, awaited);
    return awaited;
  }
  void AddAwaited(const std::string& list, std::set<std::string>& awaited) const {
    for (const std::string& name : lists_.at(list)->action_names()) {
      const Action& action = *actions_.at(name);
      if (action.has_action_list_name()) AddAwaited(action.action_list_name(), awaited);
      if (!action.has_rpc_name() || rpcs_.at(action.rpc_name())->one_way()) continue;
      if (awaited.insert(action.rpc_name()).second) AddAwaited(action.rpc_name(), awaited);
    }
  }

  bool MayFillWindow() const {
    if (std::none_of(config_.rpc_descriptions().begin(), config_.rpc_descriptions().end(),
                     [](const RpcSpec& rpc) { return rpc.one_way(); })) {
      return false;
    }
    const TrafficModel model(config_);
    std::map<int, int64_t> sent;  // by client
    for (const auto& [event, bounds] : model.tally().all()) {
      if (event.kind != Kind::kRpc || event.server != kAnyInstance) continue;
      if (event.phase != Phase::kAny || event.client == kAnyInstance) continue;
      if (config_.rpc_descriptions(event.what).one_way()) sent[event.client] += bounds.most;
    }
    return std::any_of(sent.begin(), sent.end(),
                       [](const auto& entry) { return entry.second > kOneWayWindow; });
  }

  // Where windows may be full, a message is served for certain only if it waits for nobody.
  bool DependsOnWindows() const {
    return std::any_of(config_.rpc_descriptions().begin(), config_.rpc_descriptions().end(),
                       [this](const RpcSpec& rpc) {
                         return IsSerial(rpc) || (rpc.one_way() && SendsRpcs(rpc.name()));
                       });
  }
  bool SendsRpcs(const std::string& list) const {
    const auto& names = lists_.at(list)->action_names();
    return std::any_of(names.begin(), names.end(), [this](const std::string& name) {
      const Action& action = *actions_.at(name);
      return action.has_rpc_name() ||
             (action.has_action_list_name() && SendsRpcs(action.action_list_name()));
    });
  }

  const DistributedSystemDescription& config_;
  std::map<std::string, const ActionList*> lists_;
  std::map<std::string, const Action*> actions_;
  std::map<std::string, const RpcSpec*> rpcs_;
};

}  // namespace

bool MayStall(const DistributedSystemDescription& config) { return Waits(config).MayStall(); }

}  // namespace distbench::model
