#include "distbench/cli/mode_table.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "distbench/cli/flag_set.h"
#include "distbench/results/provenance.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A mode that does what it is told.
class ScriptedMode final : public Mode {
 public:
  ScriptedMode(std::string name, absl::Status outcome, std::vector<std::string>* seen_command_line)
      : name_(std::move(name)), outcome_(std::move(outcome)), seen_(seen_command_line) {}

  std::string name() const override { return name_; }
  std::string summary() const override { return "Summary of " + name_ + "."; }
  void DeclareFlags(FlagSet* flags) override {
    flags->Add("flag_of_" + name_, &flag_, "N", "A flag.");
  }
  absl::Status Run(const std::vector<std::string>& command_line) override {
    *seen_ = command_line;
    return outcome_;
  }

 private:
  std::string name_;
  absl::Status outcome_;
  std::vector<std::string>* seen_;
  int flag_ = 0;
};

// What a command line led to.
struct Ended {
  ExitCode code;
  std::string out;
  std::string err;
};

class ModeTableTest : public ::testing::Test {
 protected:
  Ended Run(std::vector<std::string> arguments, absl::Status outcome = absl::OkStatus()) {
    std::ostringstream out;
    std::ostringstream err;
    ModeTable modes(out, err);
    modes.Add(std::make_unique<ScriptedMode>("serve", outcome, &seen_));
    modes.Add(std::make_unique<ScriptedMode>("ask", outcome, &seen_));
    arguments.insert(arguments.begin(), "distbench");
    const ExitCode code = modes.Run(arguments);
    return {code, out.str(), err.str()};
  }

  std::vector<std::string> seen_;
};

TEST_F(ModeTableTest, NoModeIsAUsageErrorThatListsThem) {
  const Ended ended = Run({});
  EXPECT_EQ(ended.code, ExitCode::kUsage);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("serve"), HasSubstr("ask")));
  EXPECT_THAT(ended.out, IsEmpty());
}

TEST_F(ModeTableTest, UnknownModeIsAUsageErrorThatNamesTheNearest) {
  const Ended ended = Run({"srve"});
  EXPECT_EQ(ended.code, ExitCode::kUsage);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("'srve'"), HasSubstr("'serve'")));
}

TEST_F(ModeTableTest, FlagOfAnotherModeIsAUsageError) {
  const Ended ended = Run({"serve", "--flag_of_ask=1"});
  EXPECT_EQ(ended.code, ExitCode::kUsage);
  EXPECT_THAT(ended.err, HasSubstr("--flag_of_ask"));
  EXPECT_THAT(seen_, IsEmpty());
}

TEST_F(ModeTableTest, WordThatTheModeDoesNotTakeIsAUsageError) {
  const Ended ended = Run({"serve", "tea"});
  EXPECT_EQ(ended.code, ExitCode::kUsage);
  EXPECT_THAT(ended.err, HasSubstr("'tea'"));
  EXPECT_THAT(seen_, IsEmpty());
}

TEST_F(ModeTableTest, HelpOnAModeListsItsFlagsOnly) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"help", "ask"}, {"ask", "--help"}}) {
    const Ended ended = Run(arguments);
    EXPECT_EQ(ended.code, ExitCode::kOk);
    EXPECT_THAT(ended.out, AllOf(HasSubstr("--flag_of_ask=N"), HasSubstr("--log_level"),
                                 Not(HasSubstr("--flag_of_serve"))));
    EXPECT_THAT(seen_, IsEmpty());
  }
}

TEST_F(ModeTableTest, HelpOnTheProgramListsModesAndExitCodes) {
  for (const char* word : {"help", "--help", "-h"}) {
    const Ended ended = Run({word});
    EXPECT_EQ(ended.code, ExitCode::kOk);
    EXPECT_THAT(ended.out, AllOf(HasSubstr("Summary of serve."), HasSubstr("Exit codes")));
  }
}

TEST_F(ModeTableTest, VersionSaysVersionAndCommit) {
  const Ended ended = Run({"--version"});
  EXPECT_EQ(ended.code, ExitCode::kOk);
  EXPECT_THAT(ended.out, AllOf(HasSubstr(kProgramVersion), HasSubstr(ProgramCommit())));
}

TEST_F(ModeTableTest, ModeSeesTheWholeCommandLine) {
  EXPECT_EQ(Run({"ask", "--flag_of_ask=1"}).code, ExitCode::kOk);
  EXPECT_THAT(seen_, ElementsAre("distbench", "ask", "--flag_of_ask=1"));
}

TEST_F(ModeTableTest, OutcomeOfTheModeBecomesExitCodeAndMessage) {
  const struct {
    absl::Status outcome;
    ExitCode code;
  } cases[] = {
      {absl::OkStatus(), ExitCode::kOk},
      {absl::InvalidArgumentError("because"), ExitCode::kFailed},
      {absl::DeadlineExceededError("because"), ExitCode::kFailed},
      {absl::UnavailableError("because"), ExitCode::kUnavailable},
      {absl::CancelledError("because"), ExitCode::kCancelled},
      {absl::AbortedError("because"), ExitCode::kCancelled},
  };
  for (const auto& c : cases) {
    const Ended ended = Run({"ask"}, c.outcome);
    EXPECT_EQ(ended.code, c.code) << c.outcome;
    EXPECT_EQ(ended.err, c.outcome.ok() ? "" : "distbench ask: because\n");
  }
}

}  // namespace
}  // namespace distbench
