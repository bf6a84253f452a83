// run_tests: has a test sequencer run tests, and tells what came out.
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/checked_sequence.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/result_destination.h"
#include "distbench/cli/result_output.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/cli/sequence_run.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/cli/test_deadline.h"
#include "distbench/cli/test_outcome.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/net/grpc_target.h"
#include "distbench/node/node_environment.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

class RunTestsMode final : public Mode {
 public:
  std::string name() const override { return "run_tests"; }
  std::string summary() const override { return "Run tests on a cluster and tell their results."; }
  void DeclareFlags(FlagSet* flags) override;
  absl::Status Accept(const std::vector<std::string>& words) override;
  absl::Status Run(const std::vector<std::string>&) override;

 private:
  absl::StatusOr<TestSequence> ReadSequence() const;

  std::string test_sequencer_;
  HostPort sequencer_address_;
  SequenceInput input_;
  ResultOutput output_;
  absl::Duration max_test_duration_ = absl::InfiniteDuration();
};

void RunTestsMode::DeclareFlags(FlagSet* flags) {
  flags->Add("test_sequencer", &test_sequencer_, "HOST:PORT", "The sequencer that runs the tests.");
  input_.DeclareFlags(flags);
  output_.DeclareFlags(flags);
  flags->Add("max_test_duration", &max_test_duration_, "DURATION",
             "End each test after this time, for example 90s or 5m, in place of its attribute "
             "test_timeout.");
}

absl::Status RunTestsMode::Accept(const std::vector<std::string>& words) {
  RETURN_IF_ERROR(Mode::Accept(words));
  if (test_sequencer_.empty()) {
    return absl::InvalidArgumentError("--test_sequencer=HOST:PORT is required");
  }
  ASSIGN_OR_RETURN(sequencer_address_, ParseHostPortOrTarget(test_sequencer_));
  if (max_test_duration_ <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("--max_test_duration must be more than 0");
  }
  return output_.Check();
}

absl::StatusOr<TestSequence> RunTestsMode::ReadSequence() const {
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
  ASSIGN_OR_RETURN(CheckedSequence checked,
                   ReadCheckedSequence(input_, KnownDriversOf(*drivers), std::cerr));
  return std::move(checked.given);
}

absl::Status RunTestsMode::Run(const std::vector<std::string>&) {
  ASSIGN_OR_RETURN(TestSequence sequence, ReadSequence());
  if (max_test_duration_ != absl::InfiniteDuration()) {
    SetTestTimeouts(max_test_duration_, &sequence);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<ResultDestination> destination, output_.Open());
  TerminationSignal termination;
  const absl::Status run =
      RunSequence(sequencer_address_, sequence, &termination, destination.get());
  const absl::Status finished = destination->Finish();
  RETURN_IF_ERROR(run);
  RETURN_IF_ERROR(finished);
  return OutcomeOf(sequence, destination->tests());
}

}  // namespace

std::unique_ptr<Mode> NewRunTestsMode() { return std::make_unique<RunTestsMode>(); }

}  // namespace distbench
