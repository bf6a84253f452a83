// Verdict: whether a test was measured fairly, judged from its result alone.
//
//   offered load   each instance and RPC of an open loop: RPCs due against RPCs started. Due are
//                  all up to the limits of the loop, if the test ran to its end; and, where one
//                  loop sends the RPC, those that fell due while it was sending, so that a load
//                  which took twice its time was offered by half. Rates may change. The last start
//                  is at least the latest that a sample shows, and no earlier than the last end
//                  less the longest service time.
//   lateness       each instance and RPC of an open loop, not merged per RPC: one late generator
//                  among a hundred would hide in the merged percentiles, and could not be named.
//                  It is held against the response time, of one-way RPCs against the interval
//                  between starts.
//   CPU            processes that share their CPUs, together: their CPU seconds against those that
//                  the CPUs have in the longest time for which an instance sent. A generator of
//                  closed loops is meant to go to the limit: that is a note. A server is what is
//                  measured.
//   starts         a node's own start against the agreed one.
//   clocks         two things are measured between nodes: the test's total time, by the wall clocks
//                  of all nodes that send, as they stand; and whether nodes start together, with
//                  the offsets taken into account. The first is off by as much as two clocks are
//                  apart, the second is known to within their bounds. Every other figure is of one
//                  clock. Nodes of one host share a clock.
//   lost nodes     what they measured is missing.
//   work           RPCs that were sent are to be measured, not all of them warmup or failures; and
//                  one-way RPCs are to be served, all clients and servers together, unless lists
//                  send them that run for requests.
//
// A test that was cancelled, or had no end of its own and ran into its timeout, measured what it
// measured: that is a note. One that ended early for any other reason, or measured nothing, is not
// valid. What a log or a node does not tell is not judged. Pure.
#ifndef DISTBENCH_RESULTS_VERDICT_H_
#define DISTBENCH_RESULTS_VERDICT_H_

#include <string>
#include <vector>

#include "distbench/config/plan.h"
#include "distbench/config/verdict_thresholds.h"

namespace distbench {

class TestResult;
class Verdict;

// `plan` is that of the test. `result` has its report, with the status, and complete statistics;
// see merge.h.
Verdict JudgeTest(const Plan& plan, const TestResult& result, const VerdictThresholds& thresholds);

// For `log_summary`. All reasons are in one line, where many of a kind are counted:
//
//   Verdict: INVALID: offered load of client/0 missed by 12.3 % (...); node3 started 25.1ms late
//   Notes:
//     query: 141 RPCs are too few for 99%, 99.9%, 99.99%
std::vector<std::string> DescribeVerdict(const Verdict& verdict);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_VERDICT_H_
