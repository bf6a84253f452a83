// Golden summaries: what this program says of results that were made by hand, so that a person can
// work out every figure. The file beside each result says how it was made; print_golden makes it.
#ifndef DISTBENCH_RESULTS_GOLDEN_SUMMARY_H_
#define DISTBENCH_RESULTS_GOLDEN_SUMMARY_H_

#include <string>

#include "absl/status/statusor.h"

namespace distbench {

// The command line that makes the golden file of the result at `path`, which ends with
// ".textproto" and is relative to the root of the tree.
std::string GoldenCommand(const std::string& path);

// The golden file of the result at `path`: the command, then the summary of each test, with
// verdict, made anew from its logs as if they had just come from the nodes. `text` is what the file
// has: TestSequenceResults as text.
absl::StatusOr<std::string> GoldenSummary(const std::string& path, const std::string& text);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_GOLDEN_SUMMARY_H_
