// What the requests to a node ask for, checked: they come from outside. Pure functions, but for the
// clocks that are read.
#ifndef DISTBENCH_NODE_NODE_REQUEST_H_
#define DISTBENCH_NODE_NODE_REQUEST_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/node/hosted_test.h"

namespace distbench {

class CancelTrafficRequest;
class Clock;
class NodeServiceConfig;
class RunTrafficRequest;

// Compiles the config and finds the instances in it. The config need not be canonical: it may come
// from another program's sequencer. Without instances and config there is nothing to check.
absl::StatusOr<HostedTestOptions> PlanOf(const NodeServiceConfig& request,
                                         NodeEnvironment* environment);

// When traffic starts: at the agreed time, which must be near, or at once.
absl::StatusOr<TrafficStart> StartOf(const RunTrafficRequest& request, const Clock& clock);

// Never OK.
absl::Status CancelReasonOf(const CancelTrafficRequest& request);

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_REQUEST_H_
