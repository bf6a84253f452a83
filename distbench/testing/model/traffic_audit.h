// AuditTraffic: holds what the instances of a finished test recorded against what its config says.
#ifndef DISTBENCH_TESTING_MODEL_TRAFFIC_AUDIT_H_
#define DISTBENCH_TESTING_MODEL_TRAFFIC_AUDIT_H_

#include <map>
#include <string>
#include <vector>

#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench::model {

// By instance, all instances of the test.
using InstanceLogs = std::map<std::string, ServicePerformanceLog>;

// A line for each thing that is wrong, a few at most; none: all is well. That is:
//
//   - every RPC and every iteration of an activity happened as often as the model says, between
//     every pair of instances, warmup or not, and none failed;
//   - RPCs sent = served = recorded, one-way ones too;
//   - sizes are within what the config allows, an echo has that of its request's payload, and
//   one-way
//     RPCs have no response;
//   - no RPC began before what it had to wait for.
std::vector<std::string> AuditTraffic(const DistributedSystemDescription& config,
                                      const InstanceLogs& logs);

// For a test that was ended early: nothing happened more often than the model says, RPCs that were
// served were sent, and those that succeeded were served, unless they are one-way.
std::vector<std::string> AuditEndedTraffic(const DistributedSystemDescription& config,
                                           const InstanceLogs& logs);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_TRAFFIC_AUDIT_H_
