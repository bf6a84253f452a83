// The formats `binary` and `textproto`: the results as a TestSequenceResults, which other programs
// read. Pure.
#ifndef DISTBENCH_EXPORT_PUBLIC_RESULTS_H_
#define DISTBENCH_EXPORT_PUBLIC_RESULTS_H_

#include <ostream>

#include "absl/status/status.h"

namespace distbench {

class TestSequenceResults;

absl::Status WriteBinaryResults(const TestSequenceResults& results, std::ostream& out);
absl::Status WriteTextResults(const TestSequenceResults& results, std::ostream& out);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_PUBLIC_RESULTS_H_
