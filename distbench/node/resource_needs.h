// ResourceNeeds: what the engines of a node will take from the process and the machine, estimated
// from the plan before any of them is started. Pure functions.
//
//   descriptors   per engine: two listening sockets (handshake, driver), those of each instance
//                 that calls it and of each instance that it calls (and again, on each channel
//                 that it is a member of or sends on), as many as the caller's driver opens, and
//                 the handshakes that are open at a time
//   ports         two per engine
//   memory        per engine 256 KiB; per RPC in flight 4 KiB and the message that is received, at
//                 the client and at the server. In flight is what the closed loops of the main
//                 lists allow, at most max_pending_rpcs; open loops and the RPCs that servers send
//                 in turn have no such bound and are not counted
//   threads       none: a process has as many threads with one engine as with a thousand
#ifndef DISTBENCH_NODE_RESOURCE_NEEDS_H_
#define DISTBENCH_NODE_RESOURCE_NEEDS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "distbench/base/indices.h"

namespace distbench {

struct Plan;
struct ServicePlan;

struct ResourceNeeds {
  int64_t descriptors = 0;
  int64_t ports = 0;
  double memory_bytes = 0;  // may be absurdly large

  ResourceNeeds& operator+=(const ResourceNeeds& other);
  ResourceNeeds& operator-=(const ResourceNeeds& other);
};

// `descriptors_per_peer` tells DriverFactory::DescriptorsPerPeer of a service's driver.
ResourceNeeds EstimateNeeds(const Plan& plan, const std::vector<InstanceIndex>& hosted,
                            absl::FunctionRef<int64_t(const ServicePlan&)> descriptors_per_peer);

// 0: no limit.
struct ResourceLimits {
  int64_t descriptors = 0;   // RLIMIT_NOFILE less what is open already
  int64_t ports = 0;         // of the data plane's range
  double memory_bytes = 0;   // of the machine or the container
  int64_t user_threads = 0;  // RLIMIT_NPROC
};

// OK if everything fits; else RESOURCE_EXHAUSTED naming the limit that would break, what is needed,
// what is available, and the remedy.
absl::Status CheckNeeds(const ResourceNeeds& needs, const ResourceLimits& limits);

// The same for the threads of the process, which the engines do not add to. `max_threads` is the
// test's overload limit.
absl::Status CheckThreads(int64_t threads_in_process, int64_t max_threads,
                          const ResourceLimits& limits);

}  // namespace distbench

#endif  // DISTBENCH_NODE_RESOURCE_NEEDS_H_
