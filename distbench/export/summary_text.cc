#include "distbench/export/summary_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "distbench/export/result_names.h"
#include "protos/distbench.pb.h"

namespace distbench {

void PrintSummary(const TestResult& test, std::ostream& out) {
  out << "Test summary:\n";
  for (const std::string& line : test.log_summary()) out << line << "\n";
  out << "\n";
  out.flush();
}

void PrintSummaries(const TestSequenceResults& results, std::ostream& out) {
  for (const TestResult& test : results.test_results()) PrintSummary(test, out);
}

absl::Status WriteSummaryText(const TestSequenceResults& results, std::ostream& out) {
  for (int i = 0; i < results.test_results_size(); ++i) {
    if (!results.test_results(i).log_summary().empty()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("log_summary of test ", i + 1, ", ", Quoted(TestLabels(results)[i]),
                     ", is empty; --format=json counts its figures anew"));
  }
  PrintSummaries(results, out);
  return absl::OkStatus();
}

}  // namespace distbench
