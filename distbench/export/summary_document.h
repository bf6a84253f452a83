// A test's figures as the message that becomes summary JSON. protos/summary_json.proto says what
// each means. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_DOCUMENT_H_
#define DISTBENCH_EXPORT_SUMMARY_DOCUMENT_H_

#include "absl/status/status.h"

namespace distbench {

class TestResult;
namespace summary_json {
class Test;
}  // namespace summary_json

// Adds all that `test` says to `summary`. An error means that statistics contradict themselves.
absl::Status FillSummary(const TestResult& test, summary_json::Test& summary);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_DOCUMENT_H_
