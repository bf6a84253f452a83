// AuditTimes: holds the times that a finished test recorded against each other, and against how
// long its requests travelled.
//
// Requires that all RPCs succeeded, as AuditTraffic says. Independent of the engine.
#ifndef DISTBENCH_TESTING_MODEL_TIME_AUDIT_H_
#define DISTBENCH_TESTING_MODEL_TIME_AUDIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "distbench/testing/model/traffic_audit.h"
#include "protos/traffic_config.pb.h"

namespace distbench::model {

struct TimeConditions {
  int64_t transit_ns = 0;  // of every request, from the start of its RPC; answers take no time
  // Time stands still while anything is done, so that nothing takes longer than what it waits for.
  bool is_simulated = false;
};

// A line for each thing that is wrong. None, if
//
//   - what clients waited for an RPC is what requests travelled, were queued and handled; on
//   threads
//     the posts between these come on top;
//   - servers handle no more requests at a time than a pool has threads, or a serial queue turns,
//     and on simulated time each waits until it has its turn, no longer;
//   - on simulated time, requests without a turn are never queued, and one-way RPCs end at once
//   while
//     there is room for them.
std::vector<std::string> AuditTimes(const DistributedSystemDescription& config,
                                    const InstanceLogs& logs, const TimeConditions& conditions);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_TIME_AUDIT_H_
