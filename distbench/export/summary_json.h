// The format `json`: summaries as one JSON document. protos/summary_json.proto is its schema. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_JSON_H_
#define DISTBENCH_EXPORT_SUMMARY_JSON_H_

#include <ostream>

#include "absl/status/status.h"

namespace distbench {

class TestSequenceResults;

inline constexpr char kSummarySchema[] = "distbench-summary/1";

absl::Status WriteSummaryJson(const TestSequenceResults& results, std::ostream& out);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_JSON_H_
