#include "test_builder/sweep_runner.h"

#include <algorithm>
#include <cstdint>
#include <ostream>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/expected_duration.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/result_check.h"
#include "test_builder/time_left.h"

namespace distbench {
namespace {

class Run {
 public:
  Run(const std::vector<BuiltTest>& tests, const std::vector<bool>& is_complete, TestRunner& runner,
      ResultFiles& files, std::ostream& summaries, std::ostream& progress,
      const SweepRunOptions& options)
      : tests_(tests),
        is_complete_(is_complete),
        runner_(runner),
        files_(files),
        summaries_(summaries),
        progress_(progress),
        options_(options) {}

  absl::Status RunAll() {
    TellComplete();
    for (size_t i = 0; i < tests_.size(); ++i) {
      if (is_complete_[i]) continue;
      if (options_.is_stopped()) return Ended(absl::CancelledError("stopped"));
      Announce(i);
      const absl::Time start = options_.now();
      const TestRunner::Outcome outcome = RunOne(tests_[i]);
      if (outcome.ends_sweep) return Ended(outcome.status);
      if (outcome.status.ok()) {
        is_complete_[i] = true;
        time_around_ += options_.now() - start - ExpectedDuration(tests_[i].config);
        ++succeeded_;
      } else {
        TakeFailure(tests_[i], outcome.status);
      }
    }
    if (failures_.empty()) return absl::OkStatus();
    return absl::Status(first_failure_.code(), absl::StrCat(failure_count_, " of ", tests_.size(),
                                                            " tests failed:", failures_));
  }

 private:
  void TellComplete() {
    const auto complete = absl::c_count(is_complete_, true);
    if (complete == 0) return;
    progress_ << complete << " of " << tests_.size() << " tests have a result and are skipped\n";
  }

  void Announce(size_t position) {
    absl::Duration left = absl::ZeroDuration();
    // Of those that succeeded: one that fails at once tells nothing about the others.
    const absl::Duration around = succeeded_ > 0 ? time_around_ / succeeded_ : kUsualTimeAroundTest;
    for (size_t i = position; i < tests_.size(); ++i) {
      if (is_complete_[i]) continue;
      left += std::max(ExpectedDuration(tests_[i].config) + around, absl::ZeroDuration());
    }
    progress_ << "[" << position + 1 << "/" << tests_.size() << "] " << tests_[position].name
              << "; about " << MinutesAndSeconds(left) << " left" << std::endl;
  }

  TestRunner::Outcome RunOne(const BuiltTest& test) {
    TestSequence sequence;
    *sequence.add_tests() = test.config;
    TestRunner::Outcome outcome = runner_.Run(sequence, files_.UnfinishedPath(test.file_stem));
    if (absl::IsCancelled(outcome.status)) {
      files_.Discard(test.file_stem);
      return outcome;
    }
    PrintSummary(test, outcome.summary);
    if (outcome.status.ok()) {
      outcome.status = files_.Keep(test.file_stem);
      outcome.ends_sweep |= !outcome.status.ok();
    } else {
      KeepFailed(test, &outcome);
    }
    return outcome;
  }

  void KeepFailed(const BuiltTest& test, TestRunner::Outcome* outcome) {
    const absl::StatusOr<std::string> kept =
        outcome->records_path.empty()
            ? files_.KeepFailed(test.file_stem)
            : files_.KeepFailedRecords(test.file_stem, outcome->records_path);
    std::string consequence;
    if (!kept.ok()) {
      outcome->ends_sweep = true;
      consequence = std::string(kept.status().message());
    } else if (!kept->empty()) {
      consequence = absl::StrCat(*kept, " has what there is");
    }
    if (consequence.empty()) return;
    outcome->status = absl::Status(outcome->status.code(),
                                   absl::StrCat(outcome->status.message(), "; ", consequence));
  }

  void PrintSummary(const BuiltTest& test, const std::string& summary) {
    if (summary.empty() || are_summaries_lost_) return;
    summaries_ << "Test: " << test.name << "\n" << summary << std::flush;
    are_summaries_lost_ = !summaries_;
    if (!are_summaries_lost_) return;
    progress_ << "summaries cannot be written any more; results go to their files all the same"
              << std::endl;
  }

  void TakeFailure(const BuiltTest& test, const absl::Status& status) {
    first_failure_.Update(status);
    ++failure_count_;
    absl::StrAppend(&failures_, "\n  ", test.name);
    progress_ << test.name << ": " << status.message() << std::endl;
  }

  absl::Status Ended(const absl::Status& status) const {
    return absl::Status(
        status.code(),
        absl::StrCat(status.message(), "; ", absl::c_count(is_complete_, false), " of ",
                     tests_.size(), " tests have no result yet: the same command goes on"));
  }

  const std::vector<BuiltTest>& tests_;
  std::vector<bool> is_complete_;
  TestRunner& runner_;
  ResultFiles& files_;
  std::ostream& summaries_;
  std::ostream& progress_;
  const SweepRunOptions& options_;

  bool are_summaries_lost_ = false;
  int64_t succeeded_ = 0;
  absl::Duration time_around_;  // of those that succeeded, in all
  absl::Status first_failure_;
  int failure_count_ = 0;
  std::string failures_;
};

}  // namespace

absl::StatusOr<std::vector<bool>> FindComplete(const std::vector<BuiltTest>& tests,
                                               const std::string& folder, std::ostream& progress,
                                               const SweepRunOptions& options) {
  const auto present = absl::c_count_if(tests, [&](const BuiltTest& test) {
    return HasFile(folder, ResultFileName(test.file_stem));
  });
  if (present > 0) progress << "checking the results that are there: " << present << std::endl;
  std::vector<bool> is_complete;
  for (const BuiltTest& test : tests) {
    if (options.is_stopped()) return absl::CancelledError("stopped");
    const absl::Status status = CheckResult(folder, test);
    if (absl::IsDataLoss(status)) {
      progress << status.message() << "; its test is to be run again\n";
    } else if (!status.ok() && !absl::IsNotFound(status)) {
      return status;
    }
    is_complete.push_back(status.ok());
  }
  return is_complete;
}

absl::Status RunSweep(const std::vector<BuiltTest>& tests, const std::vector<bool>& is_complete,
                      TestRunner& runner, ResultFiles& files, std::ostream& summaries,
                      std::ostream& progress, const SweepRunOptions& options) {
  return Run(tests, is_complete, runner, files, summaries, progress, options).RunAll();
}

}  // namespace distbench
