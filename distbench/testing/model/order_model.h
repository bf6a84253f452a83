// OrderModel: which RPCs of a main list may begin only when others have ended, and how much later.
//
// A main list runs once, so that times can be held against its dependencies: where only one of its
// actions sends some RPC, directly or by the lists that it runs, all of that RPC is that action's.
// Independent of the compiler and the engine. For configs that compile.
#ifndef DISTBENCH_TESTING_MODEL_ORDER_MODEL_H_
#define DISTBENCH_TESTING_MODEL_ORDER_MODEL_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "protos/traffic_config.pb.h"

namespace distbench::model {

// On every instance of a service: no RPC `later` begins before the last `earlier` has ended, nor
// before so much time has passed since.
struct Order {
  std::string service;
  std::string earlier, later;
  int64_t gap_ns = 0;
};

class OrderModel {
 public:
  explicit OrderModel(const DistributedSystemDescription& config);

  const std::vector<Order>& orders() const { return orders_; }

 private:
  void AddMainList(const std::string& service, const ActionList& list);
  void AddPair(const std::string& service, const Action& earlier, const Action& later,
               int64_t gap_ns);
  std::set<std::string> RpcsOf(const Action& action) const;
  void AddRpcsOfList(const std::string& list, std::set<std::string>& rpcs) const;
  std::map<std::string, int> CountSenders(const std::string& service) const;
  int64_t LeastDelayNs(const ActionList& list, const Action& action) const;

  const DistributedSystemDescription config_;
  std::map<std::string, const ActionList*> lists_;
  std::map<std::string, const Action*> actions_;
  std::map<std::string, int> senders_;  // of each RPC in the service at hand: actions, lists
  std::vector<Order> orders_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_ORDER_MODEL_H_
