#include "distbench/node/resource_needs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/config/fanout_bounds.h"
#include "distbench/config/plan.h"
#include "distbench/sampling/distribution.h"

namespace distbench {
namespace {

constexpr int64_t kListenersPerEngine = 2;
constexpr int64_t kPortsPerEngine = 2;
// Handshakes that may be open at the node at a time, outgoing and incoming together.
constexpr int64_t kOpenHandshakes = 64;
constexpr double kEngineBytes = 256 << 10;
constexpr double kCallBytes = 4 << 10;
// Instances that one iteration of the RPC goes to, at most.
double FanoutOf(const Plan& plan, const RpcPlan& rpc) {
  const ServicePlan& server = plan.services[rpc.server];
  size_t most = 0;
  for (const ServiceIndex client : rpc.clients) {
    const TargetBounds bounds = BoundsOfTargets(rpc.fanout, plan.services[client], server,
                                                /*is_own=*/client == rpc.server);
    most = std::max(most, bounds.most);
  }
  return static_cast<double>(most);
}

// Appends `list` and all lists that it runs, each after those that it runs itself.
void AppendInnerFirst(const Plan& plan, ListIndex list, IndexedVector<ListIndex, bool>* seen,
                      std::vector<ListIndex>* order) {
  if ((*seen)[list]) return;
  (*seen)[list] = true;
  for (const ActionPlan& action : plan.lists[list].actions) {
    const auto* run = std::get_if<RunList>(&action.work);
    if (run != nullptr) AppendInnerFirst(plan, run->list, seen, order);
  }
  order->push_back(list);
}

// Iterations of the action that run at a time.
double Parallel(const ActionPlan& action) {
  if (!action.iterations || action.iterations->open_loop) return 1;
  const IterationPlan& iterations = *action.iterations;
  return static_cast<double>(
      std::min(iterations.max_parallel, iterations.max_count.value_or(iterations.max_parallel)));
}

// RPCs of each kind that one run of the list may have in flight.
IndexedVector<RpcIndex, double> InFlightOfList(const Plan& plan, ListIndex list) {
  IndexedVector<ListIndex, bool> seen(plan.lists.size());
  std::vector<ListIndex> order;
  AppendInnerFirst(plan, list, &seen, &order);
  IndexedVector<RpcIndex, double> in_flight(plan.rpcs.size());
  IndexedVector<ListIndex, double> runs(plan.lists.size());  // at a time
  runs[list] = 1;
  for (auto outer = order.rbegin(); outer != order.rend(); ++outer) {
    for (const ActionPlan& action : plan.lists[*outer].actions) {
      const double at_a_time = runs[*outer] * Parallel(action);
      if (const auto* send = std::get_if<SendRpc>(&action.work)) {
        in_flight[send->rpc] += at_a_time * FanoutOf(plan, plan.rpcs[send->rpc]);
      } else if (const auto* run = std::get_if<RunList>(&action.work)) {
        runs[run->list] += at_a_time;
      }
    }
  }
  return in_flight;
}

// Per RPC, what all instances of one service together may have in flight.
IndexedVector<RpcIndex, double> InFlightOfService(const Plan& plan, const ServicePlan& service) {
  if (!service.main_list) return IndexedVector<RpcIndex, double>(plan.rpcs.size());
  IndexedVector<RpcIndex, double> in_flight = InFlightOfList(plan, *service.main_list);
  for (double& count : in_flight) {
    count = std::min(count, static_cast<double>(plan.max_pending_rpcs)) *
            static_cast<double>(service.count);
  }
  return in_flight;
}

double MeanBytes(const MessageSizePlan& size) {
  return size.drawn == nullptr ? static_cast<double>(size.bytes) : size.drawn->Mean(0);
}

double MeanRequestBytes(const RpcPlan& rpc) {
  return rpc.joint_sizes == nullptr ? MeanBytes(rpc.request) : rpc.joint_sizes->Mean(0);
}

double MeanResponseBytes(const RpcPlan& rpc) {
  if (rpc.joint_sizes == nullptr) return MeanBytes(rpc.response);
  return rpc.joint_sizes->Mean(rpc.joint_sizes->dimensions() - 1);
}

// Bytes that one instance of each service holds for RPCs in flight.
IndexedVector<ServiceIndex, double> CallBytesPerInstance(const Plan& plan) {
  IndexedVector<ServiceIndex, double> bytes(plan.services.size());
  for (size_t s = 0; s < plan.services.size(); ++s) {
    const ServicePlan& client = plan.services[ServiceIndex(s)];
    const auto in_flight = InFlightOfService(plan, client);
    for (size_t r = 0; r < plan.rpcs.size(); ++r) {
      const RpcPlan& rpc = plan.rpcs[RpcIndex(r)];
      const double calls = in_flight[RpcIndex(r)];
      bytes[ServiceIndex(s)] +=
          calls / static_cast<double>(client.count) * (kCallBytes + MeanResponseBytes(rpc));
      bytes[rpc.server] += calls / static_cast<double>(plan.services[rpc.server].count) *
                           (kCallBytes + MeanRequestBytes(rpc));
    }
  }
  return bytes;
}

size_t MostMembers(const Plan& plan, const ChannelPlan& channel) {
  return channel.members.empty() ? plan.services[channel.server].count : channel.members.size();
}

// What one instance of each service has open to those that it calls and from its callers.
struct Connected {
  int64_t peers = 0;
  int64_t descriptors = 0;
};
IndexedVector<ServiceIndex, Connected> ConnectedPerInstance(
    const Plan& plan, absl::FunctionRef<int64_t(const ServicePlan&)> descriptors_per_peer) {
  IndexedVector<ServiceIndex, Connected> connected(plan.services.size());
  for (size_t s = 0; s < plan.services.size(); ++s) {
    const ServiceIndex caller(s);
    const int64_t each = descriptors_per_peer(plan.services[caller]);
    for (const ServiceIndex called : plan.services[caller].called) {
      const int64_t self = caller == called ? 1 : 0;
      const int64_t to = static_cast<int64_t>(plan.services[called].count) - self;
      const int64_t from = static_cast<int64_t>(plan.services[caller].count) - self;
      connected[caller].peers += to;
      connected[caller].descriptors += to * each;
      connected[called].peers += from;
      connected[called].descriptors += from * each;
    }
    // Who is a member may not be known: an instance may be, of each channel of its service.
    for (const ChannelIndex channel : plan.services[caller].channels) {
      const ServiceIndex server = plan.channels[channel].server;
      const auto to = static_cast<int64_t>(MostMembers(plan, plan.channels[channel]));
      const auto from = static_cast<int64_t>(plan.services[caller].count);
      connected[caller].peers += to;
      connected[caller].descriptors += to * each;
      connected[server].peers += from;
      connected[server].descriptors += from * each;
    }
  }
  return connected;
}

absl::Status Exceeded(const std::string& needed, const std::string& available,
                      const std::string& remedy) {
  return absl::ResourceExhaustedError(
      absl::StrCat("the test needs ", needed, ", but ", available, "; ", remedy));
}

std::string Mebibytes(double bytes) { return absl::StrFormat("%.0f MiB", bytes / (1 << 20)); }

}  // namespace

ResourceNeeds& ResourceNeeds::operator+=(const ResourceNeeds& other) {
  descriptors += other.descriptors;
  ports += other.ports;
  memory_bytes += other.memory_bytes;
  return *this;
}

ResourceNeeds& ResourceNeeds::operator-=(const ResourceNeeds& other) {
  descriptors -= other.descriptors;
  ports -= other.ports;
  memory_bytes -= other.memory_bytes;
  return *this;
}

ResourceNeeds EstimateNeeds(const Plan& plan, const std::vector<InstanceIndex>& hosted,
                            absl::FunctionRef<int64_t(const ServicePlan&)> descriptors_per_peer) {
  ResourceNeeds needs;
  if (hosted.empty()) return needs;
  const auto connected = ConnectedPerInstance(plan, descriptors_per_peer);
  const auto call_bytes = CallBytesPerInstance(plan);
  int64_t handshakes = 0;
  for (const InstanceIndex instance : hosted) {
    const ServiceIndex service = plan.instances[instance].service;
    needs.descriptors += kListenersPerEngine + connected[service].descriptors;
    needs.ports += kPortsPerEngine;
    needs.memory_bytes += kEngineBytes + call_bytes[service];
    handshakes += connected[service].peers;
  }
  needs.descriptors += std::min(handshakes, kOpenHandshakes);
  needs.memory_bytes = std::ceil(needs.memory_bytes);  // whole numbers add up without a rest
  return needs;
}

absl::Status CheckNeeds(const ResourceNeeds& needs, const ResourceLimits& limits) {
  if (limits.descriptors > 0 && needs.descriptors > limits.descriptors) {
    return Exceeded(absl::StrCat(needs.descriptors, " more open descriptors in this process"),
                    absl::StrCat("RLIMIT_NOFILE leaves ", limits.descriptors),
                    "raise it (ulimit -Hn) or spread the instances over more node managers");
  }
  if (limits.ports > 0 && needs.ports > limits.ports) {
    return Exceeded(absl::StrCat(needs.ports, " ports"),
                    absl::StrCat("the port range of the data plane has ", limits.ports),
                    "widen the range of the node manager's data ports");
  }
  if (limits.memory_bytes > 0 && needs.memory_bytes > limits.memory_bytes) {
    return Exceeded(absl::StrCat(Mebibytes(needs.memory_bytes), " for RPCs in flight"),
                    absl::StrCat("physical memory is ", Mebibytes(limits.memory_bytes)),
                    "lower max_parallel_iterations or the payload sizes, or use more machines");
  }
  return absl::OkStatus();
}

absl::Status CheckThreads(int64_t threads_in_process, int64_t max_threads,
                          const ResourceLimits& limits) {
  if (threads_in_process > max_threads) {
    return Exceeded(absl::StrCat(threads_in_process, " threads in this process"),
                    absl::StrCat("overload_limits.max_threads is ", max_threads), "raise it");
  }
  if (limits.user_threads > 0 && threads_in_process >= limits.user_threads) {
    return Exceeded(absl::StrCat(threads_in_process, " threads in this process"),
                    absl::StrCat("RLIMIT_NPROC is ", limits.user_threads), "raise it (ulimit -Hu)");
  }
  return absl::OkStatus();
}

}  // namespace distbench
