#include "distbench/testing/model/order_model.h"

#include <algorithm>

namespace distbench::model {

OrderModel::OrderModel(const DistributedSystemDescription& config) : config_(config) {
  for (const ActionList& list : config_.action_lists()) lists_[list.name()] = &list;
  for (const Action& action : config_.actions()) actions_[action.name()] = &action;
  for (const ServiceSpec& service : config_.services()) {
    const auto main_list = lists_.find(service.name());
    if (main_list == lists_.end()) continue;
    senders_ = CountSenders(service.name());
    AddMainList(service.name(), *main_list->second);
  }
}

// For every action: walks back along its dependencies, the longest way to each counts.
void OrderModel::AddMainList(const std::string& service, const ActionList& list) {
  for (const std::string& name : list.action_names()) {
    std::map<std::string, int64_t> gap_after;  // action before, to the gap after its end
    std::vector<std::string> pending = {name};
    gap_after[name] = 0;
    while (!pending.empty()) {
      const Action& reached = *actions_.at(pending.back());
      pending.pop_back();
      const int64_t gap_ns = gap_after.at(reached.name()) + LeastDelayNs(list, reached);
      for (const std::string& dependency : reached.dependencies()) {
        const auto [known, is_new] = gap_after.try_emplace(dependency, gap_ns);
        if (!is_new && known->second >= gap_ns) continue;
        known->second = gap_ns;
        pending.push_back(dependency);
      }
    }
    gap_after.erase(name);
    for (const auto& [earlier, gap_ns] : gap_after) {
      AddPair(service, *actions_.at(earlier), *actions_.at(name), gap_ns);
    }
  }
}

void OrderModel::AddPair(const std::string& service, const Action& earlier, const Action& later,
                         int64_t gap_ns) {
  for (const std::string& before : RpcsOf(earlier)) {
    for (const std::string& after : RpcsOf(later)) {
      if (senders_.at(before) > 1 || senders_.at(after) > 1) continue;
      orders_.push_back({.service = service, .earlier = before, .later = after, .gap_ns = gap_ns});
    }
  }
}

// Of each RPC: the actions of the main list that send it, and the lists of RPCs that the service
// answers that do.
std::map<std::string, int> OrderModel::CountSenders(const std::string& service) const {
  std::map<std::string, int> senders;
  for (const std::string& name : lists_.at(service)->action_names()) {
    for (const std::string& rpc : RpcsOf(*actions_.at(name))) ++senders[rpc];
  }
  for (const RpcSpec& answered : config_.rpc_descriptions()) {
    if (answered.server() != service) continue;
    std::set<std::string> rpcs;
    AddRpcsOfList(answered.name(), rpcs);
    for (const std::string& rpc : rpcs) ++senders[rpc];
  }
  return senders;
}

std::set<std::string> OrderModel::RpcsOf(const Action& action) const {
  std::set<std::string> rpcs;
  if (action.has_rpc_name()) rpcs.insert(action.rpc_name());
  if (action.has_action_list_name()) AddRpcsOfList(action.action_list_name(), rpcs);
  return rpcs;
}

void OrderModel::AddRpcsOfList(const std::string& list, std::set<std::string>& rpcs) const {
  for (const std::string& name : lists_.at(list)->action_names()) {
    rpcs.merge(RpcsOf(*actions_.at(name)));
  }
}

// 0 where the delay burns CPU time, which simulated time knows nothing of.
int64_t OrderModel::LeastDelayNs(const ActionList& list, const Action& action) const {
  const bool spins = list.has_delay_actions_by_spinning() ? list.delay_actions_by_spinning()
                                                          : config_.delay_actions_by_spinning();
  if (spins || action.delay_distribution_name().empty()) return 0;
  for (const DistributionConfig& delay : config_.delay_distribution_configs()) {
    if (delay.name() != action.delay_distribution_name()) continue;
    if (delay.cdf_points_size() > 0) return delay.cdf_points(0).value();
    int64_t least = INT64_MAX;
    for (const PmfPoint& point : delay.pmf_points()) {
      const DataPoint& data = point.data_points(0);
      if (point.pmf() > 0) least = std::min(least, data.has_exact() ? data.exact() : data.lower());
    }
    return least;
  }
  return 0;
}

}  // namespace distbench::model
