#include "distbench/cli/test_outcome.h"

#include <string>

#include "absl/status/status.h"
#include "distbench/cli/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TestOutcomeTest : public ::testing::Test {
 protected:
  TestOutcomeTest() {
    for (const char* name : {"first", "second"}) sequence_.add_tests()->set_name(name);
  }

  void AddResult(absl::StatusCode code, const std::string& message) {
    TestReport* report = results_.add_test_results()->mutable_report();
    report->set_status_code(static_cast<int>(code));
    report->set_status_message(message);
  }

  TestSequence sequence_;
  TestSequenceResults results_;
};

TEST_F(TestOutcomeTest, IsOkIfAllTestsEndedAsPlanned) {
  AddResult(absl::StatusCode::kOk, "");
  AddResult(absl::StatusCode::kOk, "");
  EXPECT_TRUE(OutcomeOf(sequence_, results_).ok());
}

TEST_F(TestOutcomeTest, ResultsOfProgramsWithoutReportsAreOk) {
  results_.add_test_results();
  results_.add_test_results();
  EXPECT_TRUE(OutcomeOf(sequence_, results_).ok());
}

TEST_F(TestOutcomeTest, NamesTheTestThatEndedEarlyAndWhy) {
  AddResult(absl::StatusCode::kOk, "");
  AddResult(absl::StatusCode::kCancelled, "preempted by a new test sequence");
  const absl::Status outcome = OutcomeOf(sequence_, results_);
  EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kCancelled);
  EXPECT_THAT(outcome.message(), AllOf(HasSubstr("test 2 'second'"), HasSubstr("preempted")));
}

TEST_F(TestOutcomeTest, ReasonOfTheEarlyEndOutweighsTestsThatWereNotRun) {
  AddResult(absl::StatusCode::kUnavailable, "lost node1");
  const absl::Status outcome = OutcomeOf(sequence_, results_);
  EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kUnavailable);
  EXPECT_THAT(outcome.message(), HasSubstr("1 of 2 tests were not run"));
}

TEST_F(TestOutcomeTest, NamesEveryTestThatEndedEarly) {
  AddResult(absl::StatusCode::kUnavailable, "node1 was lost");
  AddResult(absl::StatusCode::kDeadlineExceeded, "traffic still ran");
  const absl::Status outcome = OutcomeOf(sequence_, results_);
  EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kUnavailable);
  EXPECT_EQ(outcome.message(),
            "2 of 2 tests ended early:\n"
            "  test 1 'first': node1 was lost\n"
            "  test 2 'second': traffic still ran");
}

TEST_F(TestOutcomeTest, ASequenceThatEndedByCancellationIsCancelledWhateverFailedBefore) {
  AddResult(absl::StatusCode::kDeadlineExceeded, "traffic still ran");
  AddResult(absl::StatusCode::kCancelled, "stopped by the caller");
  EXPECT_EQ(ExitCodeOf(OutcomeOf(sequence_, results_)), ExitCode::kCancelled);
}

TEST_F(TestOutcomeTest, OfAnOnlyTestTheReasonIsEnough) {
  EXPECT_EQ(OutcomeOfOnlyTest(results_), absl::InternalError("no result came"));
  AddResult(absl::StatusCode::kOk, "");
  EXPECT_EQ(OutcomeOfOnlyTest(results_), absl::OkStatus());
  results_.Clear();
  AddResult(absl::StatusCode::kUnavailable, "node1 was lost");
  EXPECT_EQ(OutcomeOfOnlyTest(results_), absl::UnavailableError("node1 was lost"));
}

TEST_F(TestOutcomeTest, TestWithoutResultIsAFailure) {
  AddResult(absl::StatusCode::kOk, "");
  const absl::Status outcome = OutcomeOf(sequence_, results_);
  EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kFailed);
  EXPECT_THAT(outcome.message(), HasSubstr("test 2 'second'"));
}

}  // namespace
}  // namespace distbench
