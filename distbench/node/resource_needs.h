// ResourceNeeds: what the engines of a node will take from the process and the machine, estimated
// from the plan before any of them is started. Pure functions.
//
//   descriptors   per engine: the listening sockets of the handshake and of the driver, those of
//                 each instance that calls it and of each instance that it calls (and again, on
//                 each channel that it is a member of or sends on), as many as the caller's driver
//                 opens, and the handshakes that are open at a time
//   ports         per engine: one, and those of the driver
//   memory        per engine 256 KiB; per RPC in flight 4 KiB and the message that is received, at
//                 the client and at the server. In flight is what the closed loops of the main
//                 lists allow; what has no such bound (open loops, replays, what servers send in
//                 turn; calls_in_flight.h) is not counted
//   threads       those of dispatch (dispatch_threads.h). A process has no more of others with a
//                 thousand engines than with one, but for activities without end (antagonists)
#ifndef DISTBENCH_NODE_RESOURCE_NEEDS_H_
#define DISTBENCH_NODE_RESOURCE_NEEDS_H_

#include <cstdint>
#include <string>
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
  int64_t threads = 0;      // besides those that the process has without engines

  ResourceNeeds& operator+=(const ResourceNeeds& other);
  ResourceNeeds& operator-=(const ResourceNeeds& other);
};

// What DriverFactory tells of a service's driver.
struct DriverNeeds {
  int64_t listeners = 1;
  int64_t ports = 1;
  int64_t descriptors_per_peer = 1;
};
using DriverNeedsOf = absl::FunctionRef<DriverNeeds(const ServicePlan&)>;

ResourceNeeds EstimateNeeds(const Plan& plan, const std::vector<InstanceIndex>& hosted,
                            DriverNeedsOf driver_needs);

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

struct ThreadNeeds {
  int64_t in_process = 0;     // that it has now; of dispatch only if traffic of others runs
  int64_t dispatch = 0;       // of all tests that it hosts
  std::string dispatched_by;  // DispatchThreads::mostly
};

// The same for the threads of the process. `max_threads` is the test's overload limit.
absl::Status CheckThreads(const ThreadNeeds& needs, int64_t max_threads,
                          const ResourceLimits& limits);

}  // namespace distbench

#endif  // DISTBENCH_NODE_RESOURCE_NEEDS_H_
