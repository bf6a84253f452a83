// Times besides those of RPCs at their clients, as summary JSON has them: what servers spent on
// requests, and how long iterations of more than one RPC took. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_TIMES_H_
#define DISTBENCH_EXPORT_SUMMARY_TIMES_H_

#include "absl/status/status.h"

namespace distbench {

class TestResult;
namespace summary_json {
class Test;
}  // namespace summary_json

// Adds both, merged over all instances of `test`. An error means that statistics contradict
// themselves.
absl::Status WriteTimes(const TestResult& test, summary_json::Test& summary);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_TIMES_H_
