#include "test_builder/sequence_runner.h"

#include <cstdint>
#include <ostream>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/expected_duration.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/time_left.h"

namespace distbench {
namespace {

class Run {
 public:
  Run(const std::vector<BuiltTest>& tests, TestRunner& runner, ResultFiles& files,
      std::ostream& progress, const SequenceRunOptions& options)
      : tests_(tests), runner_(runner), files_(files), progress_(progress), options_(options) {}

  absl::Status RunAll() {
    FindComplete();
    for (size_t i = 0; i < tests_.size(); ++i) {
      if (is_complete_[i]) continue;
      if (options_.is_stopped()) return Ended(absl::CancelledError("stopped"));
      Announce(i);
      const absl::Time start = options_.now();
      const absl::Status status = RunOne(tests_[i]);
      if (absl::IsCancelled(status) || absl::IsUnavailable(status)) return Ended(status);
      time_around_ += options_.now() - start - ExpectedDuration(tests_[i].config);
      ++run_;
      is_complete_[i] = status.ok();
      if (!status.ok()) TakeFailure(tests_[i], status);
    }
    if (failures_.empty()) return absl::OkStatus();
    return absl::Status(first_failure_.code(), absl::StrCat(failure_count_, " of ", tests_.size(),
                                                            " tests failed:", failures_));
  }

 private:
  void FindComplete() {
    size_t complete = 0;
    for (const BuiltTest& test : tests_) {
      is_complete_.push_back(files_.HasResult(test.file_stem));
      complete += is_complete_.back() ? 1 : 0;
    }
    if (complete == 0) return;
    progress_ << complete << " of " << tests_.size() << " tests have a result and are skipped\n";
  }

  void Announce(size_t position) {
    absl::Duration left = absl::ZeroDuration();
    const absl::Duration around = run_ > 0 ? time_around_ / run_ : kUsualTimeAroundTest;
    for (size_t i = position; i < tests_.size(); ++i) {
      if (!is_complete_[i]) left += ExpectedDuration(tests_[i].config) + around;
    }
    progress_ << "[" << position + 1 << "/" << tests_.size() << "] " << tests_[position].name
              << "; about " << MinutesAndSeconds(left) << " left" << std::endl;
  }

  absl::Status RunOne(const BuiltTest& test) {
    TestSequence sequence;
    *sequence.add_tests() = test.config;
    const absl::Status status = runner_.Run(sequence, files_.UnfinishedPath(test.file_stem));
    if (status.ok()) return files_.Keep(test.file_stem);
    if (absl::IsCancelled(status)) {
      files_.Discard(test.file_stem);
    } else {
      RETURN_IF_ERROR(files_.KeepFailed(test.file_stem));
    }
    return status;
  }

  void TakeFailure(const BuiltTest& test, const absl::Status& status) {
    first_failure_.Update(status);
    ++failure_count_;
    absl::StrAppend(&failures_, "\n  ", test.name, ": ", status.message());
    progress_ << test.name << ": " << status.message() << std::endl;
  }

  absl::Status Ended(const absl::Status& status) const {
    size_t missing = 0;
    for (const bool is_complete : is_complete_) missing += is_complete ? 0 : 1;
    return absl::Status(status.code(),
                        absl::StrCat(status.message(), "; ", missing, " of ", tests_.size(),
                                     " tests have no result yet: the same command goes on"));
  }

  const std::vector<BuiltTest>& tests_;
  TestRunner& runner_;
  ResultFiles& files_;
  std::ostream& progress_;
  const SequenceRunOptions& options_;

  std::vector<bool> is_complete_;
  int64_t run_ = 0;
  absl::Duration time_around_;  // of those that were run, in all
  absl::Status first_failure_;
  int failure_count_ = 0;
  std::string failures_;
};

}  // namespace

absl::Status RunTests(const std::vector<BuiltTest>& tests, TestRunner& runner, ResultFiles& files,
                      std::ostream& progress, const SequenceRunOptions& options) {
  return Run(tests, runner, files, progress, options).RunAll();
}

}  // namespace distbench
