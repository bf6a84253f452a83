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
//   RPC statistics:
//     RPC: mean: ...ns stddev: ...ns 99.99%: ...ns
//   Open loop summary:    (of RPCs that open loops sent; each has three lines)
//     RPC response time: N: n median: ...ns 90%: ... 99%: ... 99.9%: ... 99.99%: ... max: ...
//     RPC service time: ...
//     RPC lateness: ...
//   Replay summary:    (of replay traces; the same three lines)
//   Server summary:    (requests of measured RPCs, at their servers)
//     RPC: N: n queue median: ...ns 99%: ... max: ... handler median: ...ns 99%: ... max: ...
//   One-way summary:    (measured RPCs; what they ended with, by what the driver can do)
//     RPC: sent: n served: n service time until handed over
//   Iteration summary:    (of actions whose iterations are more than one RPC)
//     LIST/ACTION: N: n service median: ...ns 99%: ... max: ... response median: ...  (open loops)
//   Activity summary:    (of activities that take a CPU; over all instances)
//     ACTIVITY: iterations: n
//   Driver statistics:    (of drivers that count; summed over a service's instances)
//     SERVICE: NAME: n NAME: n ...
//   CPU summary:
//     NODE: CPU: ...s (...% of n CPUs) RPCs: n (... per CPU second)
//   Verdict: valid
//   Notes:
//     ...
//
// N, latencies, bytes and rates are of measured successes: no warmup, no failures. All rates have
// one base, the total time: from the first start to the last end of a measured success. An RPC of
// the config without any shows `N: 0`. Pairs and instances are those that any RPC was sent between.
// MiB is 2^20 bytes.
//
// The sections down to the global one are the public format's. Those that follow are left out where
// they would be empty, and the verdict where the report has none. Last come errors (most frequent
// first), cancelled and abandoned RPCs, samples that were left out, failures of engines and
// unusable statistics. Pure.
#ifndef DISTBENCH_RESULTS_SUMMARY_H_
#define DISTBENCH_RESULTS_SUMMARY_H_

#include <string>
#include <vector>

#include "distbench/config/plan.h"

namespace distbench {

class TestResult;

// One element a line, without line ends. `plan` is that of the test. Reads logs, resource usage and
// report of `result`, each as far as it is there.
std::vector<std::string> SummarizeTest(const Plan& plan, const TestResult& result);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SUMMARY_H_
