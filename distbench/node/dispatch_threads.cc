#include "distbench/node/dispatch_threads.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "distbench/config/plan.h"
#include "distbench/node/calls_in_flight.h"

namespace distbench {
namespace {

// Of one instance of its server. Targets that are drawn are taken to be drawn evenly.
IndexedVector<RpcIndex, double> InFlightToInstance(const Plan& plan) {
  IndexedVector<RpcIndex, double> in_flight(plan.rpcs.size());
  for (const ServicePlan& client : plan.services) {
    const auto sent = InFlightOfService(plan, client);
    for (size_t i = 0; i < plan.rpcs.size(); ++i) {
      const RpcIndex rpc(i);
      in_flight[rpc] += sent[rpc] / static_cast<double>(plan.services[plan.rpcs[rpc].server].count);
    }
  }
  return in_flight;
}

// More than any machine has, and small enough to be added up.
constexpr double kUnlimited = 1e12;

class Counter {
 public:
  Counter(const Plan& plan, const std::vector<InstanceIndex>& hosted)
      : plan_(plan), instances_(plan.services.size()) {
    for (const InstanceIndex instance : hosted) ++instances_[plan.instances[instance].service];
  }

  DispatchThreads Count() {
    const auto in_flight = InFlightToInstance(plan_);
    IndexedVector<ServiceIndex, bool> is_serial(plan_.services.size());
    for (size_t i = 0; i < plan_.rpcs.size(); ++i) {
      const RpcPlan& rpc = plan_.rpcs[RpcIndex(i)];
      switch (rpc.dispatch.mode) {
        case DispatchMode::kInline:
          break;
        case DispatchMode::kThreadPool:
          Add(rpc.server, static_cast<double>(rpc.dispatch.threads),
              absl::StrCat("the thread_pool of RPC '", rpc.name, "'"));
          break;
        case DispatchMode::kSerialQueue:
          if (!is_serial[rpc.server]) Add(rpc.server, 1, "serial_queue");
          is_serial[rpc.server] = true;
          break;
        case DispatchMode::kFreshThread:
          Add(rpc.server, in_flight[RpcIndex(i)],
              absl::StrCat("a fresh_thread for each RPC '", rpc.name, "' in flight"));
          break;
      }
    }
    return sum_;
  }

 private:
  void Add(ServiceIndex server, double threads, const std::string& reason) {
    const double most = std::min(static_cast<double>(plan_.max_threads), kUnlimited);
    const auto each = static_cast<int64_t>(std::min(std::ceil(threads), most));
    const int64_t all = each * instances_[server];
    sum_.threads += all;
    if (all <= largest_) return;
    largest_ = all;
    sum_.mostly = absl::StrCat("most of them ", reason, ": ", each, " at each of ",
                               instances_[server], " instances of ", plan_.services[server].name);
  }

  const Plan& plan_;
  IndexedVector<ServiceIndex, int64_t> instances_;
  DispatchThreads sum_;
  int64_t largest_ = 0;
};

}  // namespace

DispatchThreads DispatchThreadsOf(const Plan& plan, const std::vector<InstanceIndex>& hosted) {
  return Counter(plan, hosted).Count();
}

}  // namespace distbench
