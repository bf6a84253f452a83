// TestReport: what a result says of its own making, for programs and for people. Pure.
#ifndef DISTBENCH_SEQUENCER_TEST_REPORT_H_
#define DISTBENCH_SEQUENCER_TEST_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/participant.h"

namespace distbench {

class NodeReport;
class TestReport;

// Writes what the sequencer knows of a participant over what the node has said of itself.
void CompleteNodeReport(const Plan& plan, const Participant& participant, NodeReport& report);

// The first overload that a node reports; OK: none.
absl::Status ReportedOverload(const TestReport& report);

void SetStatus(const absl::Status& status, TestReport& report);

// Lines for `log_summary`; none if all is well.

// Why the test ended early.
std::vector<std::string> DescribeEnd(const absl::Status& status);

// Which nodes began their traffic more than 10 ms off, or without an agreed time.
std::vector<std::string> DescribeStarts(const Participants& participants);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_TEST_REPORT_H_
