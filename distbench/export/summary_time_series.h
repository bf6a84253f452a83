// Rows of a time series, as summary JSON has them. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_TIME_SERIES_H_
#define DISTBENCH_EXPORT_SUMMARY_TIME_SERIES_H_

#include "absl/status/status.h"

namespace distbench {

class TestResult;
namespace summary_json {
class Test;
}  // namespace summary_json

// An error means that a histogram contradicts itself.
absl::Status WriteRows(const TestResult& test, summary_json::Test& summary);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_TIME_SERIES_H_
