// The format `text`: the summaries as they were printed when the tests ran. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_TEXT_H_
#define DISTBENCH_EXPORT_SUMMARY_TEXT_H_

#include <ostream>

#include "absl/status/status.h"

namespace distbench {

class TestResult;
class TestSequenceResults;

// "Test summary:", its lines and an empty one.
void PrintSummary(const TestResult& test, std::ostream& out);

// The same for each test.
void PrintSummaries(const TestSequenceResults& results, std::ostream& out);

// The same. An error, and nothing is printed, if a test has no summary.
absl::Status WriteSummaryText(const TestSequenceResults& results, std::ostream& out);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_TEXT_H_
