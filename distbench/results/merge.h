// Merge: what nodes measured -> one test's result.
//
// Instances belong to one node each, so merging moves their logs and never adds them up. Logs of
// other programs, which hold samples only, get the statistics that follow from these, so that
// everything downstream finds statistics in every log. Time series are added up. What a node sent
// is checked as a whole before any of it counts: a node that sends nonsense costs its own figures,
// nobody else's.
#ifndef DISTBENCH_RESULTS_MERGE_H_
#define DISTBENCH_RESULTS_MERGE_H_

#include "absl/status/status.h"

namespace distbench {

class GetTrafficResultResponse;
class ServicePerformanceLog;
class TestResult;

// Moves the logs, the resource usage and the report of a node into `result`; the same result
// whatever the order of the nodes. An error (an instance or a node that is there already,
// statistics that contradict themselves) names the field and leaves `result` as it was.
absl::Status MergeNodeResult(GetTrafficResultResponse&& node, TestResult& result);

// Checks statistics that `log` has, and computes those that it lacks from its samples.
absl::Status CompleteStatistics(ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_MERGE_H_
