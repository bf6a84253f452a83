#include "distbench/node/resource_needs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/config/plan.h"
#include "distbench/node/calls_in_flight.h"
#include "distbench/node/dispatch_threads.h"
#include "distbench/sampling/distribution.h"

namespace distbench {
namespace {

// Of the handshake's server. The driver listens too.
constexpr int64_t kOwnListeners = 1;
// Handshakes that may be open at the node at a time, outgoing and incoming together.
constexpr int64_t kOpenHandshakes = 64;
constexpr double kEngineBytes = 256 << 10;
constexpr double kCallBytes = 4 << 10;

double MeanBytes(const MessageSizePlan& size) {
  return size.drawn == nullptr ? static_cast<double>(size.bytes) : size.drawn->Mean(0);
}

double MeanRequestBytes(const RpcPlan& rpc) {
  return rpc.joint_sizes == nullptr ? MeanBytes(rpc.request) : rpc.joint_sizes->Mean(0);
}

double MeanResponseBytes(const RpcPlan& rpc) {
  if (rpc.echo_request) return MeanRequestBytes(rpc);
  if (rpc.joint_sizes == nullptr) return MeanBytes(rpc.response);
  return rpc.joint_sizes->Mean(rpc.joint_sizes->dimensions() - 1);
}

// An echo is copied out of its request, which may be gone when it is sent.
double HeldByServer(const RpcPlan& rpc) {
  return MeanRequestBytes(rpc) * (rpc.echo_request ? 2 : 1);
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
                           (kCallBytes + HeldByServer(rpc));
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
IndexedVector<ServiceIndex, Connected> ConnectedPerInstance(const Plan& plan,
                                                            DriverNeedsOf driver_needs) {
  IndexedVector<ServiceIndex, Connected> connected(plan.services.size());
  for (size_t s = 0; s < plan.services.size(); ++s) {
    const ServiceIndex caller(s);
    const int64_t each = driver_needs(plan.services[caller]).descriptors_per_peer;
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
  threads += other.threads;
  return *this;
}

ResourceNeeds& ResourceNeeds::operator-=(const ResourceNeeds& other) {
  descriptors -= other.descriptors;
  ports -= other.ports;
  memory_bytes -= other.memory_bytes;
  threads -= other.threads;
  return *this;
}

ResourceNeeds EstimateNeeds(const Plan& plan, const std::vector<InstanceIndex>& hosted,
                            DriverNeedsOf driver_needs) {
  ResourceNeeds needs;
  if (hosted.empty()) return needs;
  const auto connected = ConnectedPerInstance(plan, driver_needs);
  const auto call_bytes = CallBytesPerInstance(plan);
  int64_t handshakes = 0;
  for (const InstanceIndex instance : hosted) {
    const ServiceIndex service = plan.instances[instance].service;
    const DriverNeeds driver = driver_needs(plan.services[service]);
    needs.descriptors += kOwnListeners + driver.listeners + connected[service].descriptors;
    needs.ports += kOwnListeners + driver.ports;
    needs.memory_bytes += kEngineBytes + call_bytes[service];
    handshakes += connected[service].peers;
  }
  needs.descriptors += std::min(handshakes, kOpenHandshakes);
  needs.threads = DispatchThreadsOf(plan, hosted).threads;
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

absl::Status CheckThreads(const ThreadNeeds& needs, int64_t max_threads,
                          const ResourceLimits& limits) {
  const int64_t threads = needs.in_process + needs.dispatch;
  std::string needed = absl::StrCat(threads, " threads in this process");
  std::string or_fewer;
  if (needs.dispatch > 0) {
    absl::StrAppend(&needed, ", ", needs.in_process, " that it has and ", needs.dispatch,
                    " for server_dispatch (", needs.dispatched_by, ")");
    or_fewer = ", let fewer requests be served at a time, or use more node managers";
  }
  if (threads > max_threads) {
    return Exceeded(needed, absl::StrCat("overload_limits.max_threads is ", max_threads),
                    absl::StrCat("raise it", or_fewer));
  }
  if (limits.user_threads > 0 && threads >= limits.user_threads) {
    return Exceeded(needed, absl::StrCat("RLIMIT_NPROC is ", limits.user_threads),
                    absl::StrCat("raise it (ulimit -Hu)", or_fewer));
  }
  return absl::OkStatus();
}

}  // namespace distbench
