// The threads that requests are given to by a server_dispatch: of pools, of serial queues, and made
// for one request each. Pure functions.
#ifndef DISTBENCH_NODE_DISPATCH_THREADS_H_
#define DISTBENCH_NODE_DISPATCH_THREADS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "distbench/base/indices.h"

namespace distbench {

struct Plan;

struct DispatchThreads {
  int64_t threads = 0;
  // What needs most of them, for messages; empty: none are needed.
  std::string mostly;
};

// At most, on the instances `hosted` together: every thread of a pool, one for each instance that
// has a serial queue, and, where fresh ones are made, one for each RPC that may be in flight to the
// instance at a time (calls_in_flight.h), up to max_threads, with which the traffic ends.
DispatchThreads DispatchThreadsOf(const Plan& plan, const std::vector<InstanceIndex>& hosted);

}  // namespace distbench

#endif  // DISTBENCH_NODE_DISPATCH_THREADS_H_
