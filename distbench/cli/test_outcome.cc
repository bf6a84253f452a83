#include "distbench/cli/test_outcome.h"

#include <string>
#include <vector>

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

absl::StatusCode CodeOf(const TestResult& result) {
  return static_cast<absl::StatusCode>(result.report().status_code());
}

// One: "test 2 'clique' ended early: REASON". Several: their number, then a line each.
std::string DescribeFailed(const std::vector<int>& failed, const TestSequence& sequence,
                           const TestSequenceResults& results) {
  const auto reason = [&](int index) {
    return results.test_results(index).report().status_message();
  };
  if (failed.size() == 1) {
    return absl::StrCat(Label(failed[0], sequence), " ended early: ", reason(failed[0]));
  }
  std::string text =
      absl::StrCat(failed.size(), " of ", sequence.tests_size(), " tests ended early:");
  for (const int index : failed) {
    absl::StrAppend(&text, "\n  ", Label(index, sequence), ": ", reason(index));
  }
  return text;
}

}  // namespace

absl::Status OutcomeOf(const TestSequence& sequence, const TestSequenceResults& results) {
  std::vector<int> failed;
  for (int i = 0; i < results.test_results_size(); ++i) {
    if (CodeOf(results.test_results(i)) != absl::StatusCode::kOk) failed.push_back(i);
  }
  const int missing = sequence.tests_size() - results.test_results_size();
  if (failed.empty() && missing <= 0) return absl::OkStatus();
  if (failed.empty()) {
    return absl::InternalError(absl::StrCat(missing, " of ", sequence.tests_size(),
                                            " tests have no result; the first is ",
                                            Label(results.test_results_size(), sequence)));
  }
  std::string message = DescribeFailed(failed, sequence, results);
  if (missing > 0) {
    absl::StrAppend(&message, "; ", missing, " of ", sequence.tests_size(),
                    " tests were not run after that");
  }
  const absl::StatusCode last = CodeOf(*results.test_results().rbegin());
  const bool was_cancelled = last == absl::StatusCode::kCancelled;
  return absl::Status(was_cancelled ? last : CodeOf(results.test_results(failed.front())), message);
}

absl::Status OutcomeOfOnlyTest(const TestSequenceResults& results) {
  if (results.test_results().empty()) return absl::InternalError("no result came");
  const TestResult& result = results.test_results(0);
  return absl::Status(CodeOf(result), result.report().status_message());
}

}  // namespace distbench
