// Summary: the text that tells people what a test came to.
//
//   RPC latency summary:
//     RPC: N: n min: ...ns median: ...ns 90%: ...ns 99%: ...ns 99.9%: ...ns max: ...ns    (config
//     order)
//   Communication summary:
//     CLIENT -> SERVER: RPCs: n (... kQPS) Request: ... MiB/s Response: ... MiB/s    (config order)
//   Instance summary:
//     INSTANCE: Tx: ... MiB/s, Rx:... MiB/s
//   Global summary:
//     ...
//
// N, latencies, bytes and rates are of measured successes: no warmup, no failures. All rates have
// one base, the total time: from the first start to the last end of a measured success. An RPC of
// the config without any shows `N: 0`. Pairs and instances are those that any RPC was sent between.
// MiB is 2^20 bytes.
//
// Errors (most frequent first), cancelled and abandoned RPCs, samples that were left out, failures
// of engines and unusable statistics follow, each only if there are any. Pure.
#ifndef DISTBENCH_RESULTS_SUMMARY_H_
#define DISTBENCH_RESULTS_SUMMARY_H_

#include <string>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

class ServiceLogs;

// One element a line, without line ends. `plan` is that of the test which left `logs`.
std::vector<std::string> SummarizeTest(const Plan& plan, const ServiceLogs& logs);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SUMMARY_H_
