#include "distbench/cli/test_outcome.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

// "test 2 'clique'", counted from 1.
std::string Label(int index, const TestSequence& sequence) {
  std::string label = absl::StrCat("test ", index + 1);
  if (index < sequence.tests_size() && !sequence.tests(index).name().empty()) {
    absl::StrAppend(&label, " ", Quoted(sequence.tests(index).name()));
  }
  return label;
}

}  // namespace

void PrintSummaries(const TestSequenceResults& results, std::ostream& out) {
  for (const TestResult& result : results.test_results()) {
    out << "Test summary:\n";
    for (const std::string& line : result.log_summary()) out << line << "\n";
    out << "\n";
  }
  out.flush();
}

absl::Status OutcomeOf(const TestSequence& sequence, const TestSequenceResults& results) {
  for (int i = 0; i < results.test_results_size(); ++i) {
    const TestReport& report = results.test_results(i).report();
    if (report.status_code() == 0) continue;
    std::string message =
        absl::StrCat(Label(i, sequence), " ended early: ", report.status_message());
    const int not_run = sequence.tests_size() - results.test_results_size();
    if (not_run > 0) {
      absl::StrAppend(&message, "; ", not_run, " of ", sequence.tests_size(),
                      " tests were not run after that");
    }
    return absl::Status(static_cast<absl::StatusCode>(report.status_code()), message);
  }
  const int missing = sequence.tests_size() - results.test_results_size();
  if (missing > 0) {
    return absl::InternalError(absl::StrCat(missing, " of ", sequence.tests_size(),
                                            " tests have no result; the first is ",
                                            Label(results.test_results_size(), sequence)));
  }
  return absl::OkStatus();
}

}  // namespace distbench
